"""From how many sections, links and labels something is inferred, so that there is little to delete."""

from __future__ import annotations

# ---------------------------------------------------------------------------------------------- subjects
MIN_SUBJECTS = 2
MIN_ENTRIES_SHARE = 0.2  # so many of all entries must be in sections that subjects name
MAX_PAGE_WORDS = 8  # a page with a longer title is likely about one paper
MAX_ABBREVIATION = 6
MAX_BELOW = 200  # how many subjects below another one are looked at to place the next
# A list extends the bundled taxonomy that has so large a share of its subjects, or wider ones that include
# them.
MIN_KNOWN_SHARE = 0.5
MIN_DATED_SECTIONS = 3  # fewer sections that are years or venues show no order

# ------------------------------------------------------------------------------------- names of subjects
MIN_BILINGUAL = 3
# So many headings, and so large a share of all, have names in two languages where that is a habit.
BILINGUAL_SHARE = 0.1
MAX_CONTENTS_WORDS = 8  # a link in the contents with more words is a sentence

# -------------------------------------------------------------------------------- roles of links, venues
OFTEN = 3  # a label or venue that is used at least so often is likely intended
MAX_ROLE = 60
MAX_ROLE_WORDS = 5
MIN_LETTERS = 4  # shorter labels differ by one letter without being misspelt
MAX_VENUE = 300

# --------------------------------------------------------------------------------------- what is written
MAX_FINDINGS = 5  # a rule with more findings with the inferred taxonomy is turned off: a few are likely right
MAX_PATTERNS = 12
MAX_CONVENTIONS = 3
MAX_CONVENTION = 50  # the characters of a convention that are shown
MAX_NAMED = 3  # the files that are named where no list was found
