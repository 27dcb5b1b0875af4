"""An SSH server made of AsyncSSH. Its argument is the JSON of python.ts."""

import asyncio
import fcntl
import json
import os
import signal
import struct
import subprocess
import sys
import termios
from concurrent.futures import ThreadPoolExecutor

import asyncssh

config = json.loads(sys.argv[1])
logins = config.get("logins", ["publickey"])
questions = config.get("questions", [{"text": "Password: ", "answer": config["password"]}])
authorized = [asyncssh.import_public_key(line) for line in config["authorizedKeys"]]

# Up to four for each process that runs.
pumps = ThreadPoolExecutor(max_workers=300)


class Server(asyncssh.SSHServer):
    def connection_made(self, conn):
        self.conn = conn

    def begin_auth(self, username):
        if "banner" in config:
            self.conn.send_auth_banner(config["banner"])
        return True

    def public_key_auth_supported(self):
        return "publickey" in logins

    def validate_public_key(self, username, key):
        return username == config["user"] and key in authorized

    def password_auth_supported(self):
        return "password" in logins

    def validate_password(self, username, password):
        return username == config["user"] and password == config["password"]

    def kbdint_auth_supported(self):
        return "keyboard-interactive" in logins

    def get_kbdint_challenge(self, username, lang, submethods):
        return "", "", "", [(question["text"], False) for question in questions]

    def validate_kbdint_response(self, username, responses):
        right = [question["answer"] for question in questions]
        return username == config["user"] and list(responses) == right

    def connection_requested(self, dest_host, dest_port, orig_host, orig_port):
        return True

    def server_requested(self, listen_host, listen_port):
        return True


def begin_pump(source, writer):
    """Sends what comes from a file descriptor until it ends."""
    loop = asyncio.get_running_loop()

    async def send(data):
        writer.write(data)
        await writer.drain()

    def pump():
        try:
            while data := os.read(source, 32768):
                asyncio.run_coroutine_threadsafe(send(data), loop).result()
        except (OSError, asyncssh.Error):
            # A terminal that ends, or a channel that has gone.
            pass
        os.close(source)

    return loop.run_in_executor(pumps, pump)


async def feed(sink, process):
    """Hands on what the client types until it says that this was all. Signals are not passed on."""
    loop = asyncio.get_running_loop()
    while not process.stdin.at_eof():
        try:
            data = await process.stdin.read(32768)
            while data:
                written = await loop.run_in_executor(pumps, os.write, sink, data)
                data = data[written:]
        except asyncssh.TerminalSizeChanged as size:
            fcntl.ioctl(sink, termios.TIOCSWINSZ, struct.pack("HHHH", size.height, size.width, 0, 0))
        except (asyncssh.SignalReceived, asyncssh.BreakReceived):
            pass
        except (OSError, asyncssh.Error):
            break
    os.close(sink)


async def handle(process):
    shell = config["shell"]
    args = [shell, "-c", process.command] if process.command else [shell]
    env = {**os.environ, "SHELL": shell}
    if process.term_type:
        master, slave = os.openpty()
        child = subprocess.Popen(
            args,
            env={**env, "TERM": process.term_type},
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(slave)
        width, height, *_ = process.term_size
        fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
        fed = asyncio.create_task(feed(os.dup(master), process))
        sent = [begin_pump(master, process.stdout)]
    else:
        pipe = subprocess.PIPE
        child = subprocess.Popen(args, env=env, stdin=pipe, stdout=pipe, stderr=pipe)
        fed = asyncio.create_task(feed(os.dup(child.stdin.fileno()), process))
        child.stdin.close()
        sent = [
            begin_pump(os.dup(child.stdout.fileno()), process.stdout),
            begin_pump(os.dup(child.stderr.fileno()), process.stderr),
        ]
        child.stdout.close()
        child.stderr.close()
    code = await asyncio.get_running_loop().run_in_executor(pumps, child.wait)
    await asyncio.gather(*sent)
    fed.cancel()
    if code < 0:
        process.exit_with_signal(signal.Signals(-code).name[3:])
    else:
        process.exit(code)


async def main():
    rekey = {"rekey_bytes": config["rekeyBytes"]} if "rekeyBytes" in config else {}
    exchanges = {"kex_algs": config["keyExchanges"]} if "keyExchanges" in config else {}
    await asyncssh.listen(
        "127.0.0.1",
        config["port"],
        server_factory=Server,
        server_host_keys=[config["hostKey"]],
        process_factory=handle,
        sftp_factory=config.get("hasSftp", True),
        encoding=None,
        # Otherwise a port is in use for a minute after a connection to it, also another server's.
        reuse_address=True,
        **rekey,
        **exchanges,
    )
    print("listening")
    await asyncio.Event().wait()


asyncio.run(main())
