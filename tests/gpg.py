"""Key rings of tests, by the real gpg."""

import subprocess


class Gpg:
    """A key ring of a test."""

    def __init__(self, home):
        self.home = home
        home.mkdir(mode=0o700)

    def run(self, *arguments, data=b""):
        command = ["gpg", "--homedir", str(self.home), "--batch", "--yes", "--quiet", "--no-tty", *arguments]
        return subprocess.run(command, input=data, capture_output=True, check=True).stdout

    def key(self, name, created="20260101T000000", expires="never"):
        """Make a key; its primary fingerprint."""
        faked = ["--faked-system-time", f"{created}!"] if created else []
        quick = [
            "--pinentry-mode",
            "loopback",
            "--passphrase",
            "",
            "--quick-generate-key",
            name,
            "ed25519",
            "sign",
            expires,
        ]
        self.run(*faked, *quick)
        listed = self.run("--with-colons", "--list-keys", name).decode()
        return next(line.split(":")[9] for line in listed.splitlines() if line.startswith("fpr:"))

    def public(self, *names):
        return self.run("--armor", "--export", *names)

    def clearsign(self, name, text, when="20260601T000000"):
        return self.run("--faked-system-time", f"{when}!", "--local-user", name, "--clearsign", data=text)

    def detach(self, name, data, when="20260601T000000", armor=True):
        options = ["--armor"] if armor else []
        return self.run("--faked-system-time", f"{when}!", "--local-user", name, *options, "--detach-sign", data=data)

    def stop(self):
        subprocess.run(["gpgconf", "--homedir", str(self.home), "--kill", "gpg-agent"], check=False)
