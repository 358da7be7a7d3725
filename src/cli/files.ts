import { resolve } from 'node:path'
import { readConfig } from '../config.ts'
import { diskStorage } from '../files/disk.ts'
import { copyFiles } from '../files/move.ts'
import { BUCKET_URL, openStorage, readBucketUrl } from '../files/place.ts'
import { s3Storage } from '../files/s3.ts'
import { MB } from '../lib/sizes.ts'
import { StartupError } from '../lib/startup-error.ts'
import { type Command, required, type Terminal } from './command.ts'
import { everyTwoSeconds } from './progress.ts'

const VISIBLE =
  'Others on this machine can see the key in an argument. AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment are private.'

export const fileCommands = ({ settings, remark }: Terminal): Record<string, Command> => ({
  'files move': {
    summary:
      'Copy the uploads to a folder or to s3://host/bucket and compare them there. Can be repeated and run while the exchange does; the source stays.',
    options: { to: required('PLACE') },
    async run({ to: place = '' }) {
      const env = settings()
      if (/^s3\S*:\/\/[^/@]*:[^/@]*@/.test(place)) remark(VISIBLE)
      const report = everyTwoSeconds(remark)
      const moved = await copyFiles({
        from: openStorage(readConfig('command', env)),
        to: openPlace(place, name => env[name]),
        onFile: ({ files, bytes }) => report(`${files} files, ${megabytes(bytes)} MB`),
      })
      const { files, copied, bytes } = moved
      return {
        data: moved,
        text: `${files} files (${megabytes(bytes)} MB) are in place and identical; ${copied} were copied now. Set STORAGE_URL or LONJA_DATA, restart every process, and run this once more for what was uploaded meanwhile.`,
      }
    },
  },
})

const megabytes = (bytes: number) => Math.round(bytes / MB)

function openPlace(place: string, setting: (name: string) => string | undefined) {
  if (!place.includes('://')) return diskStorage(resolve(place))
  const bucket = readBucketUrl(place, setting)
  if (!bucket) throw new StartupError(`--to must be a folder or ${BUCKET_URL}.`)
  return s3Storage(bucket)
}
