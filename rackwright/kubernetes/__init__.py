"""The Kubernetes API server: the client, and the plugin that carries objects out where the official one is not installed."""
