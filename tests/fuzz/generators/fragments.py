"""Small pieces of lists, plain and odd, of which the grammar and the mutations are made."""

WORDS = (
    "a tool the Fast graphs of Learning for systems GPU Paper code jobs in et al. Survey 2020 arXiv NeurIPS v1.2 C++ C# "
    "Node.js e.g. schröder fréchet 深度学习 知识 の ñandú Ünder ТЕСТ عربى teh Github javascript --- -- … & &amp; &nbsp; 100% $5 #1"
).split()
PLAIN = "a tool the fast graphs of learning for systems GPU paper code jobs in networks and times 2020 with less data".split()
NAMES = "Zap Flow-JS `run` **Tofu** Horovod TensorFlow C++ 工具 PyTorch Awesome _x_ __init__ a|b [x] (y) :zap:".split()
HOSTS = (
    "example.org github.com/a/b arxiv.org/abs/2001.01234 www.arxiv.org/pdf/1909.08053v2.pdf doi.org/10.1145/3302424.3303953 "
    "dx.doi.org/10.1000/x.y_z openreview.net/forum?id=a_B-c youtu.be/aB_c a.b/c_(d) github.com/a/b/blob/main/__init__.py "
    "a.b/*x*/_y_ a.b/c;d=e?f=g&amp;h=i&utm_source=x bücher.example/ä 127.0.0.1:8000/ [::1]/ a.b/%zz a.b/{x} a.b?q=a|b"
).split()
SCHEMES = (
    "https:// http:// https:// https:// HTTP:// // www. mailto: ftp:// https:/ http//: javascript:".split()
)
LABELS = "Paper Code paper code PDF pdf Slides Video Project arXiv 论文 Github bib Code+Data PyTorch) website".split()
VENUES = (
    "OSDI 2020|(NSDI'17)|NeurIPS 2019.|CVPR **(Oral)**|arXiv 2020.01|ICML, 2021|2019|[EuroSys 2019](https://a.b)|"
    "arXiv:2001.01234|`ICLR20`|NIPS (Datasets and Benchmarks), 2023"
).split("|")
PEOPLE = "Ann Lee, Bob Roe|A. Lee and B. Roe|*Ann Lee, Bob Roe et al.*|Lee, Ann and Roe, Bob|J. Müller, Ø. Ås".split(
    "|"
)
SEPARATORS = " - | – | — |: | : |- | -|  - | | -- |：| ~ ".split("|")
EMOJI = ":fire: :zap: 🔥 ⭐️ 👩‍👩‍👧 🇩🇪 :+1: ⚠️ 🎉".split()
BADGES = (
    "![stars](https://img.shields.io/github/stars/a/b)",
    "[![Awesome](https://awesome.re/badge.svg)](https://awesome.re)",
    "[![badge](u)]()",
    '<img src="https://a.b/c.svg" alt="x">',
    '<a href="https://a.b"><img src=x></a>',
    "[![x](y)",
)
COMMENTS = (
    "<!-- shelfread-disable link/insecure -->",
    "<!-- shelfread-enable -->",
    "<!-- shelfread-disable-line -->",
    "<!-- shelfread-disable-next-line entry paper/x -- why -->",
    "<!-- shelfread-disable-file text -->",
    "<!-- shelfread-format off -->",
    "<!-- shelfread-format on -->",
    "<!--lint disable double-link-->",
    "<!-- START doctoc -->",
    "<!-- END doctoc -->",
    "<!-- toc -->",
    "<!-->",
    "<!-- open",
    "-->",
    "<!-- a -- b -->",
)
HTML = (
    "<details>\n<summary>More</summary>\n",
    "</details>",
    "<br>",
    "<br/>",
    "<div align=center>",
    "</div>",
    "<table><tr><td rowspan=2>a</td><td><a href='https://a.b'>Paper</a></td></tr>\n<tr><td>c</td></tr></table>",
    "<b>x</b>",
    "<a name=x></a>",
    '<a href="https://a.b">t</a>',
    "<script>",
    "<pre>\nx\n</pre>",
    "<?x?>",
    "<sub>a</sub>",
    "<x@y.z>",
    "<https://a.b/c>",
    "<!X>",
    "<![CDATA[x]]>",
    "<td>",
)
MARKS = (
    "( ) [ ] ]( [[ ]] \\[ \\] \\ * ** *** _ __ ~ ~~ ` `` ``` < > | \\| . , : ; ! ? # - + = ^ $ $x$ \" ' % & （ ） 「 」 ， 。 ： / @ @x "
    "[^1] [^1]: [x]: [x] ![ {x} {{ {% 1. 1) - [ ] #x ::error:: ##[error] ::add-mask::x"
).split(" ")
CONTROLS = (
    *"\x00 \x01 \x07 \x08 \x0b \x0c \x1b[31m \x1b]8;;x\x07 \x7f \x80 \x85 \x9b1m \xa0 \xad \u061c \u200b \u200d \u200e".split(" "),
    *"\u2028 \u2029 \u202a \u202e \u2060 \u2066 \u2069 \u3000 \ufe0f \ufeff \ufffc \ufffe \U000e0041 \U0001f9d1 \u0301".split(" "),
)  # fmt: skip
FRONT_MATTER = (
    "---\ntitle: x\n---\n",
    "---\na: [b\n...\n",
    "+++\na = 1\n+++\n",
    "---\n",
    "---\nlayout: x\n---\n\n",
)
HEADINGS = (
    "Contents|Table of Contents|Tools|Papers|2020|OSDI 2020|Contributing|License|深度学习|Tools :fire:|C++ & C#|"
    "[Linked](https://a.b)|Tools|Related Lists|#2 Tools|`code` x|A/B|Footnotes|Awesome X [![A](b)](c)"
).split("|")
CELLS = [*"Year Venue Title Paper Code Name Conf Links Authors 标题 简述".split(), "", "Pub. & Date"]
STARTS = (
    "- |* |+ |1. |2) |10. |  - |    - |\t- |> |>|> - |- > |- - |   |    |\t|# |## |#|-|*|1.|- [ ] |- [x] |: || |-\t|-    |[x]: |"
    "[^1]: |```\n|~~~\n|---\n|===\n|***\n"
).split("|")
