"""Publishing tables that live on a cluster: Spark 4, classic or Connect, and Sail.

>>> import mingle
>>> from mingle import spark as mingle_spark
>>> mingle_spark.publish.__module__
'mingle.spark.publishing'

``publish(df, policy, out, private="beside")`` makes a verified release of a frame, ``verify(df, policy)`` checks a
table that any tool has anonymized, ``measure(release, policy, df)`` says what a release has lost. Only the DataFrame API
is used, so all of it runs over Spark Connect.

There are two ways, and ``publish`` says which one it takes. Where the distinct rows fit the driver, the cluster counts
them and the engine plans as on one machine: the same bytes as the program. Where they do not, the driver cuts the table
into boxes, executors anonymize one box each, and what is published is verified on the cluster. ``docs/guides/cluster.md``
has sizes and limits.
"""

from .measuring import measure
from .publishing import publish
from .verifying import verify

__all__ = ["measure", "publish", "verify"]
