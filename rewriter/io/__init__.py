"""What is read and written: files, tables, data sets, one text or many."""
