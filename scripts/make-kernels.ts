/** `npm run kernels`: compiles the passes over bitmaps into the text that the engine loads. */
import { readFileSync, writeFileSync } from 'node:fs'
import wabt from 'wabt'

const SOURCE = new URL('../src/search/engine/kernels.wat', import.meta.url)
const TARGET = new URL('../src/search/engine/kernels-binary.ts', import.meta.url)

export async function compileKernels(): Promise<string> {
  const module = (await wabt()).parseWat('kernels.wat', readFileSync(SOURCE, 'utf8'), { simd: true })
  const base64 = Buffer.from(module.toBinary({}).buffer).toString('base64')
  const lines = base64.match(/.{1,110}/g) ?? []
  return `/** Made from kernels.wat by \`npm run kernels\`. */\nexport const KERNELS =\n  ${lines.map(line => `'${line}'`).join(' +\n  ')}\n`
}

if (process.argv[1] === new URL(import.meta.url).pathname) writeFileSync(TARGET, await compileKernels())
