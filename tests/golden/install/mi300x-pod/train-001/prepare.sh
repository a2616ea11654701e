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
cat >/etc/systemd/network/10-rdma0.link <<'LINK'
[Match]
PermanentMACAddress=02:00:5e:10:01:01

[Link]
Name=rdma0
LINK
cat >/etc/systemd/network/10-rdma1.link <<'LINK'
[Match]
PermanentMACAddress=02:00:5e:10:01:02

[Link]
Name=rdma1
LINK
