"""What a type checker must refuse: a number is no policy."""

import mingle

mingle.plan(3)
