import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { redraw } from '../../src/files/images.ts'
import { uploadMemory } from '../../src/files/upload-memory.ts'
import { NotReady } from '../../src/lib/problem.ts'

const blank = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#888' }, limitInputPixels: false })
const DRAWING = { maxSide: 200 }

describe('a picture', () => {
  it('of 50 megapixels from a camera is accepted', async () => {
    expect(await redraw(await blank(8_160, 6_120).jpeg().toBuffer(), DRAWING)).toBeDefined()
  })

  it('with very many pixels in a small file is rejected before it is decoded', async () => {
    const large = await blank(7_000, 6_000).png().toBuffer()
    const started = Date.now()
    expect(await redraw(large, DRAWING)).toBeUndefined()
    expect(Date.now() - started).toBeLessThan(2_000)
  })

  it('with 16 bits per channel counts twice', async () => {
    const deep = await blank(5_000, 4_500).toColourspace('rgb16').png().toBuffer()
    expect((await sharp(deep).metadata()).depth).toBe('ushort')
    expect(await redraw(deep, DRAWING)).toBeUndefined()
    expect(await redraw(await blank(5_000, 4_500).png().toBuffer(), DRAWING)).toBeDefined()
  })

  it('waits only for others of the same account, and beyond the bound is rejected with a time to retry', async () => {
    const small = await blank(50, 50).png().toBuffer()
    const asked = Array.from({ length: 130 }, () => redraw(small, DRAWING, 'greedy'))
    const other = redraw(small, DRAWING, 'ana')
    const ends = await Promise.allSettled(asked)
    const refused = ends.filter(end => end.status === 'rejected' && end.reason instanceof NotReady)
    expect(refused).toHaveLength(130 - 13)
    expect(await other).toBeDefined()
  })
})

it('forms with files hold a bounded amount of memory, per account and in total', () => {
  const memory = uploadMemory({ account: 100, all: 300 })
  const hoards = Array.from({ length: 10 }, (_, i) => memory.hold(`account ${i}`))
  expect(() => {
    for (let i = 0; i < 11; i++) hoards[0]?.add(10)
  }).toThrow('payload_too_large')
  hoards[0]?.release()
  expect(() => {
    for (const hoard of hoards) for (let i = 0; i < 10; i++) hoard.add(10)
  }).toThrow(NotReady)
  expect(memory.bytes).toBeLessThanOrEqual(310)
  for (const hoard of hoards) hoard.release()
  expect(memory.bytes).toBe(0)
})
