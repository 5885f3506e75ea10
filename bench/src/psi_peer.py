"""Private intersection of two lists with openmined-psi, both parties in one process: psi_peer.py N.

Prints CPU-seconds of the work, bytes of all messages and how many are in common.
"""
import resource
import sys

import private_set_intersection.python as psi


def cpu():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


n = int(sys.argv[1])
ours = [f"person {i}" for i in range(n)]
theirs = [f"person {i + n // 2}" for i in range(n)]
before = cpu()
client, server = psi.client.CreateWithNewKey(True), psi.server.CreateWithNewKey(True)
setup = server.CreateSetupMessage(1e-9, n, theirs, psi.DataStructure.GCS)
request = client.CreateRequest(ours)
response = server.ProcessRequest(request)
common = client.GetIntersection(setup, response)
seconds = cpu() - before
size = sum(len(message.SerializeToString()) for message in (setup, request, response))
print(seconds, size, len(common))
