#!/usr/bin/env python3
"""Tries to leave the sandbox, attack by attack.

Each attack of corpus/*.toml is run twice in a world of its own: first without the defence, where it must succeed, or it
proves nothing; then in `hansei sandbox`, where it must not. An attack is data:

  name, why     what is tried, and what a success would mean
  setup         bash outside, before; its folder is the world
  attack        bash inside, its folder is the workspace; @WS@, @OUT@, @HOME@, @WORLD@, @LOOT@, @PWNED@, @NAMES@ are filled in
  succeeded     bash outside, afterwards: exit 0 means that the attack succeeded
  cleanup       bash outside, at the very end
  undefended    how the proof runs: "bare", "cgroup" (with limits, for bombs), or arguments of a weaker bwrap
  root          where the world lies (/tmp is hidden inside, other folders are too)
  env, stdin, stdout, fd3, fdnum, flags, wsub, pty, kill9, timeout, settle, repeat: how the sandbox itself is called

Usage: run.py --target HANSEI [--only NAME,…] [--one-in N] [--seed N] [-v]
It runs as root, who needs no capability for much of what is tried here.
"""
import argparse
import ctypes
import fcntl
import glob
import os
import random
import secrets
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import tomllib

HERE = os.path.dirname(os.path.abspath(__file__))
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
NAMES = (
    ".hansei hansei.toml .claude .codex .gemini .opencode opencode.json opencode.jsonc .kilo .kilocode kilo.json "
    "kilo.jsonc .mcp.json .bashrc .bash_profile .bash_login .profile .zshrc .zshenv .zprofile .zlogin"
)
PRELUDE = f"""
stolen() {{ grep -rqF -- "$TOKEN" "$LOOT" "$WORLD/out.txt" 2>/dev/null; }}
pwned() {{ [ -e "$WORLD/PWNED" ]; }}
hostgit() {{ timeout 20 git "$@" >/dev/null 2>&1; }}
alive() {{ [ -n "$1" ] && kill -0 "$1" 2>/dev/null; }}
NAMES="{NAMES}"
"""


class World:
    """A workspace, a secret beside it, and a home, thrown away afterwards."""

    def __init__(self, root, target):
        os.makedirs(root, exist_ok=True)
        self.folder = tempfile.mkdtemp(prefix="hansei-attack-", dir=root)
        os.chmod(self.folder, 0o755)
        self.workspace = self.folder + "/ws"
        self.home = self.folder + "/home"
        self.token = "tok" + secrets.token_hex(16)
        login = f"[user]\n\tname=a\n\temail=a@b\n[credential]\n\thelper=store\n[x]\n\ty={self.token}\n"
        files = {
            "ws/README.md": "hello\n", "ws/src/main.txt": "x\n", "ws/loot/.gitkeep": "",
            "outside/secret.txt": self.token, "home/.bashrc": "# rc\n", "home/.gitconfig": login,
            "home/.git-credentials": f"https://u:{self.token}@example.org\n",
        }
        for name in (".ssh/id_fake", ".config/gh/hosts.yml", ".cargo/credentials.toml", ".npmrc", ".netrc",
                     ".aws/credentials", ".docker/config.json"):
            files["home/" + name] = self.token
        for name, text in files.items():
            path = f"{self.folder}/{name}"
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as file:
                file.write(text)
        self.environment = {"PATH": PATH, "HOME": self.home, "LANG": "C.UTF-8", "TERM": "xterm", "USER": "root",
                            "HANSEI_ATTACK_WORLD": self.folder}
        subprocess.run("git init -q -b main . && git add -A && git commit -q -m one", shell=True, check=True,
                       cwd=self.workspace, env=self.environment)
        self.outside = dict(self.environment, WORLD=self.folder, WS=self.workspace, TOKEN=self.token, TARGET=target,
                            OUT=self.folder + "/outside/secret.txt", LOOT=self.workspace + "/loot", TOOLS=HERE)

    def filled(self, text):
        values = {"WORLD": self.folder, "WS": self.workspace, "OUT": self.outside["OUT"], "HOME": self.home,
                  "LOOT": self.outside["LOOT"], "PWNED": self.folder + "/PWNED", "NAMES": NAMES, "TOOLS": HERE,
                  "TOKEN": self.token}
        for name, value in values.items():
            text = text.replace(f"@{name}@", value)
        return text

    def run(self, script, **also):
        with open(self.folder + "/host.log", "ab") as log:
            try:
                ran = subprocess.run(["bash", "-c", PRELUDE + script], cwd=self.folder, env=dict(self.outside, **also),
                                     stdin=subprocess.DEVNULL, stdout=log, stderr=log, timeout=60)
                return ran.returncode
            except subprocess.TimeoutExpired:
                return 99

    def end(self):
        """Ends what was left running, which its environment tells, and removes the world."""
        mark = ("HANSEI_ATTACK_WORLD=" + self.folder).encode()
        for _ in range(4):
            found = 0
            for process in filter(str.isdigit, os.listdir("/proc")):
                try:
                    with open(f"/proc/{process}/environ", "rb") as file:
                        if mark in file.read().split(b"\0") and int(process) != os.getpid():
                            os.kill(int(process), 9)
                            found += 1
                except OSError:
                    pass
            if not found:
                break
            time.sleep(0.1)
        shutil.rmtree(self.folder, ignore_errors=True)


def limited():
    """A control group in which a bomb can be shown to go off without harm."""
    own = dict(line.strip().split(":", 2)[1:] for line in open("/proc/self/cgroup"))
    folders = []
    for controller, file, most in (("pids", "pids.max", "800"), ("memory", "memory.limit_in_bytes", str(2 << 30))):
        folder = f"/sys/fs/cgroup/{controller}{own[controller].rstrip('/')}/hansei-attack-{os.getpid()}"
        os.makedirs(folder, exist_ok=True)
        with open(f"{folder}/{file}", "w") as limit:
            limit.write(most)
        folders.append(folder)
    return folders


def call(attack, world, target, is_defended, groups):
    """The command line of one try."""
    script = world.filled(attack["attack"])
    proof = attack.get("undefended", "bare")
    if is_defended:
        command = [target, "sandbox", "--workspace", world.workspace + attack.get("wsub", "")]
        command += attack.get("flags", []) + ["--", "bash", "-c", script]
    elif proof in ("bare", "cgroup"):
        command = ["bash", "-c", script]
        if proof == "cgroup":
            groups += limited()
    else:
        given = [word.replace("$WS", world.workspace).replace("$WORLD", world.folder).replace("$HOME", world.home)
                 for word in proof]
        command = ["bwrap", *given, "--chdir", world.workspace, "--", "bash", "-c", script]
    if attack.get("pty"):
        command = ["script", "-qec", shlex.join(command), "/dev/null"]
    return command


def tried(attack, target, is_defended, verbose):
    """Whether the attack succeeds."""
    world = World(attack.get("root", "/tmp"), target)
    groups, kept = [], []
    phase = "sandbox" if is_defended else "bare"
    try:
        if "setup" in attack and world.run(attack["setup"], PHASE=phase):
            print("  setup failed:", attack["name"], phase)
        environment = dict(world.environment)
        environment.update({name: world.filled(value) for name, value in attack.get("env", {}).items()})
        command = call(attack, world, target, is_defended, groups)
        passed = []
        if "fd3" in attack:
            place = world.filled(attack["fd3"])
            if place.startswith("unix:"):
                opened = socket.socket(socket.AF_UNIX)
                opened.connect(place[5:])
                kept.append(opened)
                number = opened.fileno()
            else:
                number = os.open(place, os.O_RDONLY if os.path.isdir(place) else os.O_RDWR)
            passed = [fcntl.fcntl(number, fcntl.F_DUPFD, 400)]
            wanted = attack.get("fdnum", 3)
            command = ["bash", "-c", f'exec {wanted}<&{passed[0]} {passed[0]}<&-; exec "$@"', "x", *command]
        stdin = subprocess.DEVNULL
        if "stdin" in attack:
            place = world.filled(attack["stdin"])
            stdin = os.open(place, os.O_RDONLY if os.path.isdir(place) else os.O_RDWR)
        out = open(world.filled(attack["stdout"]), "ab") if "stdout" in attack else open(world.folder + "/out.txt", "wb")

        def enter():
            for folder in groups:
                with open(folder + "/cgroup.procs", "w") as file:
                    file.write(str(os.getpid()))

        with out, open(world.folder + "/err.txt", "wb") as errors:
            begin = time.time()
            running = subprocess.Popen(command, cwd=world.workspace, env=environment, stdin=stdin, stdout=out, stderr=errors,
                                       pass_fds=passed, start_new_session=True, preexec_fn=enter if groups else None)
            if "kill9" in attack:
                try:
                    running.wait(attack["kill9"])
                except subprocess.TimeoutExpired:
                    running.kill()
            try:
                code = running.wait(attack.get("timeout", 30))
            except subprocess.TimeoutExpired:
                os.killpg(running.pid, 9)
                running.wait()
                code = "too long"
            took = time.time() - begin
        time.sleep(attack.get("settle", 0))
        answer = world.run(attack["succeeded"], PHASE=phase, RC=str(code), DURATION=str(int(took)))
        if verbose:
            for name in ("out.txt", "err.txt", "host.log"):
                if os.path.exists(f"{world.folder}/{name}"):
                    with open(f"{world.folder}/{name}", errors="replace") as file:
                        print(f"    [{phase} {code} {answer}] {name}: {file.read()[-1500:]}")
        return answer == 0
    finally:
        if "cleanup" in attack:
            world.run(attack["cleanup"], PHASE=phase)
        world.end()
        for folder in groups:
            for _ in range(20):
                try:
                    os.rmdir(folder)
                    break
                except OSError:
                    time.sleep(0.1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", required=True)
    parser.add_argument("--only", help="names, with commas between them")
    parser.add_argument("--one-in", type=int, default=1, help="only one attack in N, chosen by the seed")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("-v", action="store_true")
    arguments = parser.parse_args()
    # A session keyring of our own, which attacks on keyrings look for.
    ctypes.CDLL(None, use_errno=True).syscall(250, 1, b"hansei-attack")
    attacks = []
    for file in sorted(glob.glob(HERE + "/corpus/*.toml")):
        with open(file, "rb") as text:
            attacks += tomllib.load(text)["attack"]
    names = [attack["name"] for attack in attacks]
    if len(set(names)) != len(names):
        sys.exit("two attacks have one name")
    if arguments.only:
        attacks = [attack for attack in attacks if attack["name"] in arguments.only.split(",")]
    attacks = random.Random(arguments.seed).sample(attacks, max(1, len(attacks) // arguments.one_in))
    breached, unproven = [], []
    for attack in attacks:
        proven = tried(attack, arguments.target, False, arguments.v)
        rounds = range(attack.get("repeat", 1))
        got_out = any(tried(attack, arguments.target, True, arguments.v) for _ in rounds)
        print(f"{attack['name']:60} proven {'yes' if proven else 'NO '}  held {'NO' if got_out else 'yes'}", flush=True)
        if not proven:
            unproven.append(attack["name"])
        if got_out:
            breached.append(attack["name"])
    print("breached:", *breached)
    print("unproven:", *unproven)
    print(f"SUMMARY attacks {len(attacks)} of {len(names)}, breached {len(breached)} , unproven {len(unproven)}")
    sys.exit(1 if breached or unproven else 0)


main()
