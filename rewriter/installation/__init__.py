"""What is installed: optional dependencies, packages that are hidden, the doctor."""
