"""SFTP on the files of this computer, for paramiko_server.py."""

import os

from paramiko import SFTP_OK, SFTP_OP_UNSUPPORTED, SFTPAttributes, SFTPHandle, SFTPServer, SFTPServerInterface


def answered(work):
    """Turns what the system refuses into SFTP's answer."""

    def answer(*args):
        try:
            result = work(*args)
        except OSError as error:
            return SFTPServer.convert_errno(error.errno)
        return SFTP_OK if result is None else result

    return answer


class File(SFTPHandle):
    @answered
    def stat(self):
        return SFTPAttributes.from_stat(os.fstat(self.readfile.fileno()))

    @answered
    def chattr(self, attr):
        SFTPServer.set_file_attr(self.filename, attr)


class Files(SFTPServerInterface):
    def canonicalize(self, path):
        return os.path.realpath(path)

    @answered
    def list_folder(self, path):
        def entry(name):
            return SFTPAttributes.from_stat(os.lstat(os.path.join(path, name)), name)

        return [entry(name) for name in os.listdir(path)]

    @answered
    def stat(self, path):
        return SFTPAttributes.from_stat(os.stat(path))

    @answered
    def lstat(self, path):
        return SFTPAttributes.from_stat(os.lstat(path))

    @answered
    def open(self, path, flags, attr):
        mode = getattr(attr, "st_mode", None)
        fd = os.open(path, flags, 0o666 if mode is None else mode)
        if flags & os.O_WRONLY:
            file_mode = "ab" if flags & os.O_APPEND else "wb"
        elif flags & os.O_RDWR:
            file_mode = "a+b" if flags & os.O_APPEND else "r+b"
        else:
            file_mode = "rb"
        file = os.fdopen(fd, file_mode)
        handle = File(flags)
        handle.filename = path
        handle.readfile = file
        handle.writefile = file
        return handle

    @answered
    def remove(self, path):
        os.remove(path)

    @answered
    def rename(self, oldpath, newpath):
        # SFTP's own does not replace (draft-ietf-secsh-filexfer-02 section 6.5).
        os.link(oldpath, newpath) if os.path.isfile(oldpath) else os.rename(oldpath, newpath)
        if os.path.isfile(oldpath):
            os.remove(oldpath)

    @answered
    def posix_rename(self, oldpath, newpath):
        os.replace(oldpath, newpath)

    @answered
    def mkdir(self, path, attr):
        os.mkdir(path)

    @answered
    def rmdir(self, path):
        os.rmdir(path)

    @answered
    def chattr(self, path, attr):
        SFTPServer.set_file_attr(path, attr)

    @answered
    def readlink(self, path):
        return os.readlink(path)

    @answered
    def symlink(self, target_path, path):
        os.symlink(target_path, path)
