"""Parts that parsers share: NVML devices and links, text in sections."""
