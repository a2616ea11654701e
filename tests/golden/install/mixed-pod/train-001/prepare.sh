#!/bin/sh
# train-001: what every system gets before its first boot: accounts with their keys, names of network interfaces by MAC, and the
# unit that phones home. Runs in the installed system.
set -eu
home=$(getent passwd root | cut -d: -f6)
mkdir -p "$home/.ssh"
cat >"$home/.ssh/authorized_keys" <<'KEYS'
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHUbJqqxZ8nRjYpzC7LbrOYhsJrYhQm7zUa3e9dNn3Vq ops@example
KEYS
chmod 700 "$home/.ssh"
chmod 600 "$home/.ssh/authorized_keys"
chown -R root: "$home/.ssh"
id ops >/dev/null 2>&1 || useradd --create-home --shell /bin/bash --password '!' ops
printf '%s\n' 'ops ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/ops
chmod 440 /etc/sudoers.d/ops
home=$(getent passwd ops | cut -d: -f6)
mkdir -p "$home/.ssh"
cat >"$home/.ssh/authorized_keys" <<'KEYS'
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHUbJqqxZ8nRjYpzC7LbrOYhsJrYhQm7zUa3e9dNn3Vq ops@example
KEYS
chmod 700 "$home/.ssh"
chmod 600 "$home/.ssh/authorized_keys"
chown -R ops: "$home/.ssh"
mkdir -p /etc/systemd/network
cat >/etc/systemd/network/10-enp41s0f1np1.link <<'LINK'
[Match]
PermanentMACAddress=02:00:5e:10:00:01

[Link]
Name=enp41s0f1np1
LINK
cat >/etc/systemd/network/10-enp170s0f1np1.link <<'LINK'
[Match]
PermanentMACAddress=02:00:5e:10:00:02

[Link]
Name=enp170s0f1np1
LINK
