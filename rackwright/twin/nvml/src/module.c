/* nvidia.ko of the twin: a real ELF object whose .modinfo `modinfo` reads; nothing ever loads it. */
#define INFO(name, text) static const char name[] __attribute__((section(".modinfo"), used)) = text

INFO(license, "license=Dual MIT/GPL");
INFO(version, "version=" DRIVER_VERSION);
INFO(supported, "supported=external");
INFO(firmware, "firmware=nvidia/" DRIVER_VERSION "/gsp_ga10x.bin");
INFO(name, "name=nvidia");
INFO(description, "description=rackwright twin of the open kernel module");
