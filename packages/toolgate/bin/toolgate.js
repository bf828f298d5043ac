#!/usr/bin/env node
// Kept in the repository, because a compiled file would not be executable in a fresh clone.
import '../dist/bin.js';
