"""Words of headings that say nothing about the subject, or how a subject is treated rather than which it is."""

from __future__ import annotations

from shelfread.taxonomy.words import singular, stem

PREPOSITIONS = frozenset(
    """of for in on with via using by from to at towards toward against over under without through between beyond as
    about within during into per w meets across""".split()
)
INVERTING = frozenset("of for in on".split())
"""`Compression of Models` is `Model Compression`."""
JOINING = frozenset(
    "and or & + / , vs versus plus и и et y e ve und 与 和 及 と・".replace("・", " ").split()
)
"""What stands between the subjects of one heading."""

_PLAIN = frozenset(
    """a an the this that its their our other others various misc miscellaneous more most many some all any etc new newer
    latest recent current modern novel advanced basic general generic common typical classic classical traditional
    conventional existing emerging popular famous useful interesting important related relevant selected recommended
    awesome best top good great better improved improving improve improvement enhanced enhancing enhancement efficient
    efficiency effective fast faster fastest accelerated accelerating acceleration scalable scalability large small big
    scale massive high low practical real world free paid commercial open closed source official unofficial third party
    public available industrial industry end self based aware driven oriented enabled assisted guided centric specific
    wise level type kind variety style form part number single multiple different main major core key further only also
    not now here see is are be can how what when why who which do does up out off automatic automated automating
    automatically side year today pure simple complex full native""".split()
)
_TREATMENTS = frozenset(
    """paper publication article survey review overview introduction intro introductory tutorial guide primer lecture
    course class workshop seminar talk video book ebook blog post podcast newsletter note slide presentation webinar news
    thesis dissertation report reading read literature reference resource material link list collection
    repository repo codebase code implementation project example sample demo experiment study research work technique
    method methodology approach algorithm strategy scheme mechanism model system architecture framework tool toolkit
    toolbox tooling library lib package plugin extension addon module component utility software app application program
    platform service server client engine solution technology api sdk website site page dataset data corpus corpora
    benchmark benchmarking leaderboard metric evaluation analysis theory foundation fundamental basics basic concept
    principle idea practice topic area field domain category section task problem issue challenge competition contest
    question community forum group conference event meetup company people researcher developer development management
    optimization optimizing performance design engineering infrastructure setup setting scenario environment usage use
    case trend progress advance perspective opinion history background stuff thing product vendor provider variant
    method technical detail aspect pipeline workload job stack suite studio stage process processing support""".split()
)


def _forms(words: frozenset[str]) -> frozenset[str]:
    return words | {singular(word) for word in words} | {stem(word) for word in words}


PLAIN = _forms(_PLAIN)
"""Words that change nothing: `Efficient`, `Large-Scale`, `Other`."""
TREATMENTS = _forms(_TREATMENTS)
"""Words for the things of a list, and for ways to treat a subject: `Papers`, `Methods`, `Systems`, `Analysis`."""
FIELDS = frozenset("machinelearning ml deeplearning dl artificialintelligence ai neuralnetwork".split())
"""Fields whose name before `for` or `in` says less than what follows: `Deep Learning for Robotics`."""
