#!/bin/sh
# train-001: what every system gets before its first boot: accounts with their keys, names of network interfaces by MAC, and the
# unit that phones home. Runs in the root image with its overlay at every boot, before udev.
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
printf '%s\n' '127.0.0.1 localhost' '127.0.1.1 train-001' >/etc/hosts
ssh-keygen -A
# NetworkManager keeps the in-band network as dracut handed it over (/run/NetworkManager).
if [ -d /etc/NetworkManager/system-connections ]; then
umask 077
umask 022
else
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
systemctl start --no-block systemd-networkd
fi
umask 077
mkdir -p /etc/rackwright
printf '%s\n' 'http://10.64.0.2:8090/home/TOKEN' >/etc/rackwright/phone-home.url
umask 022
cat >/usr/local/sbin/rackwright-phone-home <<'SCRIPT'
#!/bin/sh
# Says once which machine this is and what runs on it, and then never again in this boot.
set -eu
text() { tr -cd 'A-Za-z0-9 ._:/+-' | sed 's/^ *//; s/ *$//'; }
dmi() { text <"/sys/class/dmi/id/$1"; }
# Of a bond, whose own MAC systemd-networkd makes up, that of its first port (Linux, drivers/net/bonding/bond_sysfs_slave.c).
mac() {
  port=$(cut -d' ' -f1 "/sys/class/net/$1/bonding/slaves" 2>/dev/null || true)
  if [ "$port" ]; then text <"/sys/class/net/$port/bonding_slave/perm_hwaddr"; else text <"/sys/class/net/$1/address"; fi
}
ek=
if [ -e /dev/tpmrm0 ] && command -v tpm2_createek >/dev/null; then
  work=$(mktemp -d)
  tpm2_createek -Q -c "$work/ek.ctx" -G rsa -f pem -u "$work/ek.pem"
  ek=$(openssl pkey -pubin -in "$work/ek.pem" -outform DER | sha256sum | cut -d' ' -f1)
  rm -r "$work"
fi
bmc=
if [ -e /dev/ipmi0 ] && command -v ipmitool >/dev/null; then
  bmc=$(ipmitool lan print 1 | sed -n 's/^IP Address  *: //p' | text)
fi
pull_key=
. /etc/os-release
# What this system runs from: the device of the lower layer (dracut, modules.d/90dmsquash-live/dmsquash-live-root.sh mounts it there).
root=$(sha256sum <"$(findmnt -no SOURCE /run/rootfsbase)" | cut -d' ' -f1)
printf '{"serial":"%s","uuid":"%s","mac":"%s","tpm_ek_sha256":"%s","bmc_address":"%s","hostname":"%s","system":"%s","kernel":"%s","host_key":"%s","pull_key":"%s","root_sha256":"%s"}' \
  "$(dmi product_serial)" "$(dmi product_uuid | tr A-F a-f)" "$(mac bond0)" "$ek" "$bmc" \
  "$(uname -n | text)" "$(printf %s "$ID-$VERSION_ID" | text)" "$(uname -r | text)" \
  "$(cut -d' ' -f1,2 /etc/ssh/ssh_host_ed25519_key.pub | text)" "$pull_key" "$root" |
  curl -fsS --max-time 60 -H 'Content-Type: application/json' --data-binary @- "$(cat /etc/rackwright/phone-home.url)"
rm /etc/rackwright/phone-home.url
systemctl disable rackwright-phone-home.service
SCRIPT
chmod 755 /usr/local/sbin/rackwright-phone-home
cat >/etc/systemd/system/rackwright-phone-home.service <<'UNIT'
[Unit]
Description=Tell the boot server which machine this is
Wants=network-online.target
After=network-online.target ssh.service sshd.service
ConditionPathExists=/etc/rackwright/phone-home.url

[Service]
Type=oneshot
ExecStart=/usr/local/sbin/rackwright-phone-home
Restart=on-failure
RestartSec=30

[Install]
WantedBy=multi-user.target
UNIT
systemctl enable rackwright-phone-home.service
systemctl start --no-block rackwright-phone-home.service
