"""An SSH server made of paramiko. Its argument is the JSON of python.ts."""

import fcntl
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import termios
import threading

import paramiko
from paramiko import AUTH_FAILED, AUTH_PARTIALLY_SUCCESSFUL, AUTH_SUCCESSFUL, InteractiveQuery
from paramiko.common import OPEN_FAILED_ADMINISTRATIVELY_PROHIBITED, OPEN_SUCCEEDED

from paramiko_files import Files

config = json.loads(sys.argv[1])
logins = config.get("logins", [["publickey"]])
questions = config.get("questions", [{"text": "Password: ", "answer": config["password"]}])
authorized = [line.split()[1] for line in config["authorizedKeys"]]


class Server(paramiko.ServerInterface):
    def __init__(self):
        self.done = []
        self.terminals = {}

    # Logging in

    def next_steps(self):
        """What may come now, for each way of which all that was done is the beginning."""
        count = len(self.done)
        return [way[count] for way in logins if len(way) > count and way[:count] == self.done]

    def get_allowed_auths(self, username):
        return ",".join(dict.fromkeys(self.next_steps()))

    def step(self, method, is_right):
        if method not in self.next_steps() or not is_right:
            return AUTH_FAILED
        self.done = [*self.done, method]
        return AUTH_SUCCESSFUL if self.done in logins else AUTH_PARTIALLY_SUCCESSFUL

    def check_auth_publickey(self, username, key):
        is_right = username == config["user"] and key.get_base64() in authorized
        # paramiko asks twice: when the key is offered, and when its signature comes.
        if self.done[-1:] == ["publickey"]:
            self.done.pop()
        return self.step("publickey", is_right)

    def check_auth_password(self, username, password):
        return self.step("password", username == config["user"] and password == config["password"])

    def check_auth_interactive(self, username, submethods):
        if "keyboard-interactive" not in self.next_steps():
            return AUTH_FAILED
        query = InteractiveQuery()
        for question in questions:
            query.add_prompt(question["text"], False)
        return query

    def check_auth_interactive_response(self, responses):
        right = [question["answer"] for question in questions]
        return self.step("keyboard-interactive", list(responses) == right)

    def get_banner(self):
        return (config.get("banner"), "en-US")

    # Sessions

    def check_channel_request(self, kind, chanid):
        return OPEN_SUCCEEDED if kind == "session" else OPEN_FAILED_ADMINISTRATIVELY_PROHIBITED

    def check_channel_env_request(self, channel, name, value):
        return False

    def check_channel_pty_request(self, channel, term, width, height, pixelwidth, pixelheight, modes):
        master, slave = os.openpty()
        resize(master, width, height)
        self.terminals[channel.chanid] = (term.decode(), master, slave)
        return True

    def check_channel_window_change_request(self, channel, width, height, pixelwidth, pixelheight):
        terminal = self.terminals.get(channel.chanid)
        if terminal:
            resize(terminal[1], width, height)
        return terminal is not None

    def check_channel_shell_request(self, channel):
        return self.run(channel, [config["shell"]])

    def check_channel_exec_request(self, channel, command):
        return self.run(channel, [config["shell"], "-c", command.decode()])

    def run(self, channel, args):
        terminal = self.terminals.get(channel.chanid)
        threading.Thread(target=run_on, args=(channel, args, terminal), daemon=True).start()
        return True


def resize(master, width, height):
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))


def run_on(channel, args, terminal):
    env = {**os.environ, "SHELL": config["shell"]}
    if terminal:
        term, master, slave = terminal
        child = subprocess.Popen(
            args,
            env={**env, "TERM": term},
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(slave)
        begin(feed, channel, os.dup(master))
        pumps = [begin(pump, master, channel.sendall)]
    else:
        pipe = subprocess.PIPE
        child = subprocess.Popen(args, env=env, stdin=pipe, stdout=pipe, stderr=pipe)
        begin(feed, channel, os.dup(child.stdin.fileno()))
        child.stdin.close()
        pumps = [
            begin(pump, child.stdout.fileno(), channel.sendall),
            begin(pump, child.stderr.fileno(), channel.sendall_stderr),
        ]
    code = child.wait()
    for each in pumps:
        each.join()
    try:
        # It has no message for an end by a signal.
        channel.send_exit_status(code if code >= 0 else 128 - code)
        channel.close()
    except (OSError, EOFError):
        pass


def begin(work, *args):
    thread = threading.Thread(target=work, args=args, daemon=True)
    thread.start()
    return thread


def pump(source, send):
    """Until the source ends; a terminal ends with an error."""
    try:
        while data := os.read(source, 32768):
            send(data)
    except OSError:
        pass


def feed(channel, sink):
    try:
        while data := channel.recv(32768):
            while data:
                data = data[os.write(sink, data) :]
    except OSError:
        pass
    os.close(sink)


def serve(connection):
    transport = paramiko.Transport(connection)
    transport.add_server_key(paramiko.Ed25519Key(filename=config["hostKey"]))
    if config.get("hasSftp", True):
        transport.set_subsystem_handler("sftp", paramiko.SFTPServer, Files)
    try:
        transport.start_server(server=Server())
    except (paramiko.SSHException, EOFError, OSError) as error:
        print("connection ended:", error)


signal.signal(signal.SIGPIPE, signal.SIG_IGN)
listener = socket.create_server(("127.0.0.1", config["port"]))
print("listening")
while True:
    connection, _ = listener.accept()
    begin(serve, connection)
