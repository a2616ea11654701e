"""What every plugin of the Pulumi engine has in common: values on the wire, the server, errors as sentences."""
