(module
  ;; Passes over bitmaps, 128 bits at a time: 10 to 20 times as fast as 32 at a time in JavaScript.
  ;; Offsets and lengths are in bytes; lengths are multiples of 16 and not 0. `npm run kernels` compiles this file.
  (memory (import "env" "memory") 1)

  ;; a = a and b
  (func (export "and") (param $a i32) (param $b i32) (param $bytes i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $a) (local.get $bytes)))
    (loop $next
      (v128.store (local.get $a) (v128.and (v128.load (local.get $a)) (v128.load (local.get $b))))
      (local.set $a (i32.add (local.get $a) (i32.const 16)))
      (local.set $b (i32.add (local.get $b) (i32.const 16)))
      (br_if $next (i32.lt_u (local.get $a) (local.get $end)))))

  ;; a = a and not b
  (func (export "andNot") (param $a i32) (param $b i32) (param $bytes i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $a) (local.get $bytes)))
    (loop $next
      (v128.store (local.get $a) (v128.andnot (v128.load (local.get $a)) (v128.load (local.get $b))))
      (local.set $a (i32.add (local.get $a) (i32.const 16)))
      (local.set $b (i32.add (local.get $b) (i32.const 16)))
      (br_if $next (i32.lt_u (local.get $a) (local.get $end)))))

  ;; a = a or b
  (func (export "or") (param $a i32) (param $b i32) (param $bytes i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $a) (local.get $bytes)))
    (loop $next
      (v128.store (local.get $a) (v128.or (v128.load (local.get $a)) (v128.load (local.get $b))))
      (local.set $a (i32.add (local.get $a) (i32.const 16)))
      (local.set $b (i32.add (local.get $b) (i32.const 16)))
      (br_if $next (i32.lt_u (local.get $a) (local.get $end)))))

  ;; How many bits are set in a and in b.
  (func (export "countBoth") (param $a i32) (param $b i32) (param $bytes i32) (result i32)
    (local $end i32) (local $sum v128)
    (local.set $end (i32.add (local.get $a) (local.get $bytes)))
    (loop $next
      (local.set $sum (i32x4.add (local.get $sum)
        (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u
          (i8x16.popcnt (v128.and (v128.load (local.get $a)) (v128.load (local.get $b))))))))
      (local.set $a (i32.add (local.get $a) (i32.const 16)))
      (local.set $b (i32.add (local.get $b) (i32.const 16)))
      (br_if $next (i32.lt_u (local.get $a) (local.get $end))))
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
      (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))

  ;; A half adder: (plane, carry) = (plane xor carry, plane and carry). 0 if nothing is left to carry.
  (func (export "addCarry") (param $plane i32) (param $carry i32) (param $bytes i32) (result i32)
    (local $end i32) (local $p v128) (local $c v128) (local $left v128)
    (local.set $end (i32.add (local.get $plane) (local.get $bytes)))
    (loop $next
      (local.set $p (v128.load (local.get $plane)))
      (local.set $c (v128.load (local.get $carry)))
      (v128.store (local.get $plane) (v128.xor (local.get $p) (local.get $c)))
      (local.set $c (v128.and (local.get $p) (local.get $c)))
      (v128.store (local.get $carry) (local.get $c))
      (local.set $left (v128.or (local.get $left) (local.get $c)))
      (local.set $plane (i32.add (local.get $plane) (i32.const 16)))
      (local.set $carry (i32.add (local.get $carry) (i32.const 16)))
      (br_if $next (i32.lt_u (local.get $plane) (local.get $end))))
    (v128.any_true (local.get $left)))

  ;; One bit of comparing numbers with a limit whose bit is 0: where they were the same so far, a 1 is above it.
  ;; (above, same) = (above or (same and plane), same and not plane)
  (func (export "passZero") (param $above i32) (param $same i32) (param $plane i32) (param $bytes i32)
    (local $end i32) (local $s v128) (local $p v128)
    (local.set $end (i32.add (local.get $above) (local.get $bytes)))
    (loop $next
      (local.set $s (v128.load (local.get $same)))
      (local.set $p (v128.load (local.get $plane)))
      (v128.store (local.get $above)
        (v128.or (v128.load (local.get $above)) (v128.and (local.get $s) (local.get $p))))
      (v128.store (local.get $same) (v128.andnot (local.get $s) (local.get $p)))
      (local.set $above (i32.add (local.get $above) (i32.const 16)))
      (local.set $same (i32.add (local.get $same) (i32.const 16)))
      (local.set $plane (i32.add (local.get $plane) (i32.const 16)))
      (br_if $next (i32.lt_u (local.get $above) (local.get $end)))))
)
