.purgem karat_b2_half
.purgem karat_b2_round
.purgem karat_b2_ten
.purgem karat_b2_do
.purgem karat_b2_rounds
.purgem karat_b2_feed
