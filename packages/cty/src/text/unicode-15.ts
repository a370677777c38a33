// SPDX-License-Identifier: Apache-2.0
/*
 * Properties of characters in Unicode 15.0, the version of go-cty built with Go 1.26. Each range is written as the distance from the
 * end of the previous range to its start and, after a plus, the distance to its end, in base 36.
 */

/** Extends the character before it: Grapheme_Cluster_Break Extend and SpacingMark. */
export const extend: string =
  "lc+33 7o+6 7c+18 2 2+1 2+1 2 21+a 1d+k h 2u+6 3+5 3+1 2+3 10 v+q 2k+a 1n+8 a p+3 2+8 2+2 2+4 18+2 1p+7 17+n 2+w 1j+2 2+h " +
  "2+6 b+1 u+2 1l 2+6 3+1 3+2 a b+1 r 3+2 1l 2+4 5+1 3+2 4 v+1 4 c+2 1l 2+7 2+2 2+2 l+1 n+5 2+2 1l 2+6 3+1 3+2 8+2 b+1 v " +
  "1o+4 4+2 2+3 a 15+4 1k 2+6 2+2 2+3 8+1 c+1 u+2 1l 2+6 2+2 2+3 8+1 c+1 g d+3 1k+1 2+6 2+2 2+3 a b+1 u+2 1z 5+5 2 2+7 j+1 " +
  "1q 2+7 d+7 2r 2+9 c+6 22+1 s 2 2 5+1 1e+j 2+1 6+a 2+z a 2v+a 2+5 o+3 5+2 h+3 e 2+2 7 g jk+2 qb+3 t+2 u+1 v+1 1t+v a 1a+2 " +
  "2 3a+1 z 3b+b 5+b 64+4 1m+9 2 2 3+n 3 1d+u 1e+4 1c+g 13+8 d+2 v+c 1l+d 1d+j 49+2 2+k 5 7 3+2 5j+1r el 5g+w 2db+2 3y 2p+v " +
  "ff+5 2y+1 n9x+3 2+9 x+1 29+1 7l 4 5 o+4 5 2c+1 1f+h r+h e 13+7 q+c 19+3 1c+d 11 1w+d d 9+1 1b 1g 2+2 3+1 6+1 2 16+4 6+1 " +
  "6l+7 2+1 fn5 ki+f h+f a7+1 gu 6b 46+4 1af+2 2+1 6+3 15+2 5 4m+1 fy+3 as+1 29+2 1z+a 1e+3 3f+2 1i+e 16 3+1 b+3 1a+a 8 1q+2 " +
  "11+d h+1 19 d+2 1d+d 9+3 2+1 2l+b 7 3 4e+b m+3 1k+1 2+6 3+1 3+2 a b+1 3+6 4+4 5d+h o 2a+j 6k+6 3+8 s+1 2b+g 2z+c 2u+2 3+9 " +
  "75+e 6u+5 2+1 3+3 2 2+1 3y+6 3+6 4 t+9 15+6 2+3 9 a+a 1b+f ba+7 2+7 2b+l 2+d 3f+5 4 2+1 2+6 2 1v+4 2+1 2+4 9o+3 a+1 2 " +
  "1d+6 4+4 45a 7+e asb+4 1o+6 t5 2+1i 8+3 2a c+1 f58+1 3mq+19 3+m f3+4 4+5 9+7 3+6 v+3 45+2 1j0+1i 5+1d 9 f n+4 2+e 11t+6 " +
  "2+g 3+6 2+1 2+4 2t 4h+6 ag 1q+3 e5+3 rl+6 32+6 241+4 gx7l+2n 3l+6n";

/** Joins the character after it: Prepend. */
export const prepend: string = "16o+5 60 1e ap+1 29 vg 1f8v g 6t+1 1h8 2 6x 22+5 jh cc";

/** Stands alone: CR, LF, Control, and U+FFFD. */
export const control: string = "0+v 2o+w e 12n 3jm 1kt 3+1 p+6 1e+f 17yo 6p+b 2 ab7+f qxt+3 440+7 h406+v 2p+3j 6p+2rz";

/** Extended_Pictographic. */
export const pictograph: string =
  "4p 5 68e d 61 n 2j+5 g+1 a8+1 d 2o 1z q+a 5+2 5k 6g+1 b a 1n+3 2+5 2+b 2+35 b+39 3+a 2 2 7 4 7 b+1 g 3 5 2 5+2 2 c+4 1a+2 " +
  "a f f ad+1 cw+2 k+1 1g 5 yj d gq 2 2fzb+73 e+2 w 1p+5 d+1 f 3+9 j+1k s+e b l 3+8 2+3 a+c1 6+8t 9+7d 1d+3j 39+b 2e+16 d+3 " +
  "1l+7 b+5 15+7 v+29 d+1a 2+9 2+c8 75+sd";

/** Hangul syllable type L. */
export const leadingJamo: string = "3cw+2n u0x+s";

/** Hangul syllable type V. */
export const vowelJamo: string = "3fk+1z 1349+m";

/** Hangul syllable type T. */
export const trailingJamo: string = "3hk+2f 132k+1c";

/** May combine with the character before it under normal form C. */
export const nonStarter: string =
  "lc+1r 3 3+9 2+v 7o+4 7e+18 2 2+1 2+1 2 21+a 1d+k h 2u+6 3+5 3+1 2+3 10 v+q 4h+8 a p+3 2+8 2+2 2+4 18+2 1p+7 17+n 2+s 1p h " +
  "4+3 2w 2 f a 13 1q h 33 h 33 2 f 9+1 2v f a 2t h 8+1 2u 6 b 8+1 2t+1 2 f a 37 5 g 2h+2 e+3 31+2 e+3 25+1 s 2 2 1k+1 2 6+3 " +
  "3 2+2 2+1 1r 2w 9 2+1 2b 5w+k 1f+q bf+2 qd+1 v 4e b 5o 40+2 64+1 20 l+7 3 1d+d 2+f 2u+1 f 13+8 1j+1 1n c+1 1w 49+2 2+c " +
  "2+6 5 7 4+1 5j+1r k1+c 5 4+b 2db+2 3y 2p+v ff+5 2y+1 n9x 5+9 x+1 29+1 7p 12 48 s+h 1m+2 12 2o d 6o 2+2 3+1 6+1 2 1h 6v " +
  "fn5 le+f r2 6b 46+4 1ar 2 15+2 5 4m+1 fy+3 as+1 29+2 1z+a 1e+3 5d 16 f 1m+1 1y+2 11 c+1 1r 25 a 2z+1 4z+1 29+1 2 f a f+6 " +
  "4+4 5q 4 o 2a a 3 5+1 6k g+1 3j 3b+1 38 7i+1 6u d+1 5 4d 2c j 2a bq 77 2+1 2a bu+1 ey6+4 1o+6 xm+1 f59 43r+4 4+5 9+7 3+6 " +
  "v+3 45+2 2po+6 2+g 3+6 2+1 2+4 2t 4h+6 ag 1q+3 e5+3 rl+6 32+6";

/** Starts a character, and may combine with the next one. Precomposed Hangul syllables are omitted. */
export const combinesForward: string =
  "1o+2 3+f 2+8 7+f 2+8 1a 7 5 4 8+f 2+5 2+5 3+f 2+5 2+5 2+g 3+j 3+8 4+3 2+5 5+5 4+5 3+h 3+n x+1 e+1 7 d+2 7+f 2+5 3+a 4+1 " +
  "3+z 3+1 7+d 2n 1y+5 4d a+2 2+2 2 2+3 4 2 2 6 2 4 4+8 4 2 2 6 2 4 4+5 4+2 18+1 2 3+1 5+2 2 3 2+5 4 5 4 4 2 3 3 2+5 4 5 4 4 " +
  "2 3+1 2 3+1 5+2 m+3 22+1 e+3 3+9 3+j 3+1 89+5 x 2 3a+2 g+1 2 gj+1 7+1 2+1 43 4+1 aj+1 3+1 1y 2 1e+1 3+2 3e 2 3b+1 6+2 2+1 " +
  "3f+1 3+2 3x+1 2+2 bd 2 4s+1 62+i 1yr+9 3+1 14+9 jh+49 2 5+2h 7+l 3+5 3+11 3+5 3+7 2 2 2 2+h 2 2 2 2 2 2 4+1g 2+4 2+1 2+5 " +
  "2+2 2 2+6 4+4 3+5 2+6 2+1 5+2 2+2 2 2 2 p 13 9e 2 2 6+1 j v+3 2 2 1b+1 4+1 2+1 n+3 m 5 2+2 2+2 4 j+2 2+1 8+g 3+9 8+1 g " +
  "6+1 2+4 3+3 17+3 7+3 2mx 5+n 2+5 6+e n 7+3 8 5+n 2+5 6+e i+3 2 3+3 3+1 1h 2+1 4+5 g+k 7f+g 3q 3 9 e 3 h 9 5 b 3 13km+1 " +
  "b+1 4q+8 19 21 p+2 20+1 7g+3 10+2 2 2+9 2+b 2x+5 4k+1 4 2+1 4+5 j+5 3+5 3+5 3+2 7 3au+3 9 6 3n+1 2+1 et 4+1 a5 2+1 2 6y+3 " +
  "oq 3 16u3";

/** Printable, but not yet assigned in Unicode 15.0. */
export const newer: string =
  "1ov 8 qt 3k 2r7+e 3+b 2r+1 1c 7e+1 tz o6+2 1gt va+3 dh+1 a na4+4 3 2 6+2 l gk2+f ce+1 1j+6 1ki+1f nh+p rr+11 4+s 9+1 8j+5 " +
  "9+8 y+2 w4+9 2 3 2+11 2+9 2 3 2+3 2+9 2+1 9+1 ku+j vx+7 2h+x f+9 c7+17 5+9 a9 45i+32y 5qe+1l 2dj+1l 87+o 3+o 7z+4 4qq+7 " +
  "zk a+l 2q+36 c9a+70 4+c3 7+m g+g 4io+16 5 5d+u 2+l 9+1 34p 4f+3 8o+9 5+1 f+8 ak+3 1e+1 4+1 1b 8 2 5 f 3 a+1 5 64+10 b " +
  "10zk+5 4mb+b 5s3+h9 aj7+3bd";

/** Starters that combine with the previous character, apart from Korean ones, for which Go differs from Unicode. */
export const vowelSign: RegExp =
  /(?:\u09be|\u09d7|\u0b3e|\u0b56|\u0b57|\u0bbe|\u0bd7|\u0cc2|\u0cd5|\u0cd6|\u0d3e|\u0d57|\u0dcf|\u0ddf|\u102e|\u1b35|\uff9e|\uff9f|\u{11127}|\u{1133e}|\u{11357}|\u{114b0}|\u{114ba}|\u{114bd}|\u{115af}|\u{11930})\p{M}{2}/u;

/** Blocks with characters that are compositions of others. */
export const composites: readonly (readonly [number, number])[] = [
  [0xc0, 0x1fff],
  [0x2190, 0x22ff],
  [0x3040, 0x30ff],
  [0x11000, 0x11fff],
];
