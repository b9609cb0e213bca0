// Macros are global in an object file: every function clears its own away.
.purgem karat_b2_places
.purgem karat_b2_half
.purgem karat_b2_columns
.purgem karat_b2_diagonals
.purgem karat_b2_round
.purgem karat_b2_chunks
.purgem karat_b2_load
.purgem karat_b2_fold
.purgem karat_b2_start
.purgem karat_b2_lanes
.purgem karat_b2_do
.purgem karat_b2_gather
.purgem karat_b2_all
.purgem karat_b2_transpose
