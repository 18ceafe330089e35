"""What people and machines are shown: differences, findings of the check mode, SARIF."""
