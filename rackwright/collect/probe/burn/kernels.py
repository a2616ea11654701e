"""Two kernels of the memory test in PTX, which every driver since CUDA 11 compiles for its device (sm_70 and later).

Nodes need no toolkit. Word number `i` of eight bytes is ``first + i * step``: a step of 0 repeats one pattern, a step of 8
with a first word of 0 writes the offset of every word into it.

    write(memory, words, first, step)             writes them
    compare(memory, words, first, step, report)   report[0] += words of four bytes that differ, report[1] = offset in bytes of the first of them

PTX ISA: atom.global.min.u64 needs sm_32, everything else sm_20.
"""

from __future__ import annotations

_HEAD = """
.version 7.0
.target sm_70
.address_size 64
"""
_PARAMETERS = ".param .u64 p_memory, .param .u64 p_words, .param .u64 p_first, .param .u64 p_step"
_BEGIN = """
{
    .reg .pred %p<3>;
    .reg .b32 %r<9>;
    .reg .b64 %rd<16>;
    ld.param.u64 %rd1, [p_memory];
    cvta.to.global.u64 %rd1, %rd1;
    ld.param.u64 %rd2, [p_words];
    ld.param.u64 %rd3, [p_first];
    ld.param.u64 %rd4, [p_step];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mov.u32 %r4, %nctaid.x;
    mul.wide.u32 %rd5, %r1, %r2;
    cvt.u64.u32 %rd6, %r3;
    add.u64 %rd5, %rd5, %rd6;
    mul.wide.u32 %rd7, %r4, %r2;
NEXT:
    setp.ge.u64 %p1, %rd5, %rd2;
    @%p1 bra DONE;
    mad.lo.u64 %rd8, %rd5, %rd4, %rd3;
    shl.b64 %rd9, %rd5, 3;
    add.u64 %rd10, %rd1, %rd9;
"""
_END = """
    add.u64 %rd5, %rd5, %rd7;
    bra NEXT;
DONE:
    ret;
}
"""
_WRITE = "    st.global.u64 [%rd10], %rd8;"
_COMPARE = """
    ld.global.u64 %rd11, [%rd10];
    xor.b64 %rd11, %rd11, %rd8;
    setp.eq.u64 %p1, %rd11, 0;
    @%p1 bra SAME;
    cvt.u32.u64 %r5, %rd11;
    shr.u64 %rd12, %rd11, 32;
    cvt.u32.u64 %r6, %rd12;
    setp.ne.u32 %p1, %r5, 0;
    setp.ne.u32 %p2, %r6, 0;
    selp.u64 %rd12, 1, 0, %p1;
    selp.u64 %rd13, 1, 0, %p2;
    add.u64 %rd12, %rd12, %rd13;
    ld.param.u64 %rd14, [p_report];
    cvta.to.global.u64 %rd14, %rd14;
    atom.global.add.u64 %rd13, [%rd14], %rd12;
    selp.u64 %rd12, 0, 4, %p1;
    add.u64 %rd12, %rd12, %rd9;
    atom.global.min.u64 %rd13, [%rd14+8], %rd12;
SAME:
"""
MEMORY_TEST = "".join([
    _HEAD,
    f".visible .entry write({_PARAMETERS})", _BEGIN, _WRITE, _END,
    f".visible .entry compare({_PARAMETERS}, .param .u64 p_report)", _BEGIN, _COMPARE, _END,
])  # fmt: skip
"""The text for `cuModuleLoadData`."""
