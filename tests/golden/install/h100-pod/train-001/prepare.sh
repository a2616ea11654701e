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
test ! -d /etc/network || printf '%s\n' 'auto lo' 'iface lo inet loopback' >/etc/network/interfaces
cat >/etc/systemd/network/20-bond0.netdev <<'NETDEV'
[NetDev]
Name=bond0
Kind=bond

[Bond]
Mode=active-backup
MIIMonitorSec=100ms
NETDEV
cat >/etc/systemd/network/20-enp41s0f1np1.network <<'NETWORK'
[Match]
Name=enp41s0f1np1

[Network]
Bond=bond0
PrimarySlave=yes
NETWORK
cat >/etc/systemd/network/20-enp170s0f1np1.network <<'NETWORK'
[Match]
Name=enp170s0f1np1

[Network]
Bond=bond0
NETWORK
cat >/etc/systemd/network/20-bond0.network <<'NETWORK'
[Match]
Name=bond0

[Network]
Address=10.64.0.32/22
Gateway=10.64.0.1
LinkLocalAddressing=no
NETWORK
systemctl enable systemd-networkd
update-initramfs -u
