"""What evaluation knows about English."""
