"""Kernel modules of a twin node as files: an ELF object that modinfo, depmod and modprobe read, and its signature.

No kernel
ever runs it: `kernel_calls.c` reads the same section where a kernel would. Layout: System V ABI (ELF-64 object file), the
``.modinfo`` strings of include/linux/module.h, and the signature trailer of scripts/sign-file.c of Linux 6.1.
"""

from __future__ import annotations

import struct
import zlib

MAGIC = b"~Module signature appended~\n"
_TRAILER = struct.Struct(">BBBBB3xI")
"""Algorithm, hash, kind of identifier, lengths of signer, key id and signature (struct module_signature)."""
_RSA, _SHA256, _BY_X509 = 1, 4, 1
_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_IDENT = b"\x7fELF\x02\x01\x01".ljust(16, b"\0")
_RELOCATABLE, _X86_64, _ABSOLUTE, _GLOBAL = 1, 62, 0xFFF1, 0x10
_PROGBITS, _SYMTAB, _STRTAB = 1, 2, 3


def build(name: str, facts: list[tuple[str, str]], release: str, depends: list[str]) -> bytes:
    """The object file of module `name` for the kernel `release`."""
    facts_written = [
        *facts,
        ("depends", ",".join(depends)),
        ("name", name),
        ("vermagic", f"{release} SMP preempt mod_unload"),
    ]
    modinfo = b"".join(f"{key}={value}\0".encode() for key, value in facts_written)
    names = [f"__crc_{_symbol(name)}", *(_symbol(dependency) for dependency in depends)]
    strings = b"\0" + b"".join(dependency.encode() + b"\0" for dependency in names)
    symbols, at = _SYMBOL.pack(0, 0, 0, 0, 0, 0), 1
    for index, dependency in enumerate(names):
        is_module = index == 0
        symbols += _SYMBOL.pack(
            at, _GLOBAL, 0, _ABSOLUTE if is_module else 0, zlib.crc32(dependency.encode()) if is_module else 0, 0
        )
        at += len(dependency) + 1
    return _object([(b".modinfo", _PROGBITS, modinfo), (b".symtab", _SYMTAB, symbols), (b".strtab", _STRTAB, strings)])


def read(content: bytes) -> dict[str, list[str]]:
    """The modinfo of a module, each key with its values; ValueError for a malformed module."""
    if content[:4] != _IDENT[:4]:
        raise ValueError("not an ELF file")
    offset, count, names_at = struct.unpack_from("<Q12xHH", content, 40)[0], *struct.unpack_from("<HH", content, 60)
    sections = [_SECTION.unpack_from(content, offset + _SECTION.size * index) for index in range(count)]
    table = sections[names_at]
    names = content[table[4] : table[4] + table[5]]
    texts: dict[str, list[str]] = {}
    for section in sections:
        if names[section[0] : names.index(b"\0", section[0])] == b".modinfo":
            for line in content[section[4] : section[4] + section[5]].split(b"\0"):
                key, equals, value = line.decode().partition("=")
                if equals:
                    texts.setdefault(key, []).append(value)
    return texts


def sign(content: bytes, signer: str, key_id: bytes) -> bytes:
    """`content` signed: who signed and the fingerprint of the certificate; the twin checks these, not the arithmetic."""
    name = signer.encode()[:255]
    seal = zlib.crc32(content).to_bytes(4, "big")
    trailer = _TRAILER.pack(_RSA, _SHA256, _BY_X509, len(name), len(key_id), len(seal))
    return content + name + key_id + seal + trailer + MAGIC


def key_of(content: bytes) -> bytes:
    """The key id of a signed module, empty for an unsigned one."""
    if not content.endswith(MAGIC):
        return b""
    end = len(content) - len(MAGIC) - _TRAILER.size
    *_, key, seal = _TRAILER.unpack_from(content, end)
    return content[end - seal - key : end - seal]


def _symbol(module: str) -> str:
    return "twin_" + module.replace("-", "_")


def _object(sections: list[tuple[bytes, int, bytes]]) -> bytes:
    names = b"\0" + b"".join(name + b"\0" for name, _, _ in sections) + b".shstrtab\0"
    body, table, at = b"", _SECTION.pack(*[0] * 10), 1
    for name, kind, content in [*sections, (b".shstrtab", _STRTAB, names)]:
        # the symbol table names its string table (the next section) and its first global symbol
        link, info, entry = (len(table) // _SECTION.size + 1, 1, _SYMBOL.size) if kind == _SYMTAB else (0, 0, 0)
        table += _SECTION.pack(at, kind, 0, 0, _HEADER.size + len(body), len(content), link, info, 8, entry)
        body += content + b"\0" * (-len(content) % 8)
        at += len(name) + 1
    counts = (_HEADER.size, 0, 0, _SECTION.size, len(sections) + 2, len(sections) + 1)
    head = _HEADER.pack(_IDENT, _RELOCATABLE, _X86_64, 1, 0, 0, _HEADER.size + len(body), 0, *counts)
    return head + body + table
