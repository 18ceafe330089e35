"""What measuring German needs beyond what any language has."""
