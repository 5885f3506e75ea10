"""Engines that the tests of ``mingle.spark`` run on.

``MINGLE_SPARK_ENGINE`` chooses: ``sail`` (needs no Java), ``classic`` (Spark with two executor processes) or ``connect``
(Spark's own Connect server). Only loopback is used.
"""

from __future__ import annotations

import os
import shutil
import sys
from typing import Any

import pytest

ENGINE = os.environ.get("MINGLE_SPARK_ENGINE", "sail")


def start() -> tuple[Any, Any]:
    """A session, and what has to be stopped in the end. Skips where the engine is not there."""
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ["PYSPARK_PYTHON"] = sys.executable
    pytest.importorskip("pyspark", reason="pyspark is not installed")
    if ENGINE == "sail":
        return _sail()
    if shutil.which("java") is None:
        pytest.skip("Java is missing; Sail covers the same code")
    from pyspark.sql import SparkSession

    builder = SparkSession.builder
    if ENGINE == "connect":
        builder = builder.remote("local[2]")
    else:
        builder = builder.master("local-cluster[2,1,1024]")
    settings = {
        "spark.driver.host": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "3",
        "spark.task.maxFailures": "4",
        "spark.log.level": "ERROR",
    }
    for key, value in settings.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    return session, session


def _sail() -> tuple[Any, Any]:
    os.environ["SAIL_MODE"] = "local-cluster"
    os.environ.setdefault("RUST_LOG", "error")
    sail = pytest.importorskip("pysail.spark", reason="pysail is not installed")
    from pyspark.sql import SparkSession

    server = sail.SparkConnectServer(ip="127.0.0.1", port=0)
    server.start(background=True)
    _, port = server.listening_address
    return SparkSession.builder.remote(f"sc://127.0.0.1:{port}").getOrCreate(), server
