"""Writers: one a form, each from the same `Report`."""
