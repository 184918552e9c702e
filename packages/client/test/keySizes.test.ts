import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { createStage, next } from './harness.ts'
import { approve, bytesOf, download, share } from './harnessFiles.ts'

/** "256-bit keys. The server holds none that it can use.": what every client here puts into WebCrypto is looked at. */
function watchKeys() {
  const { subtle } = crypto
  const secrets: Uint8Array[] = []
  const lengths = new Set<number>()
  const importKey = subtle.importKey.bind(subtle)
  vi.spyOn(subtle, 'importKey').mockImplementation(((...given: Parameters<SubtleCrypto['importKey']>) => {
    const [format, material, algorithm] = given as unknown as [string, Uint8Array, string]
    const isSecret = format === 'pkcs8' || algorithm === 'HKDF' || algorithm === 'AES-GCM'
    // In PKCS #8 the secret stands at the end.
    if (isSecret && ArrayBuffer.isView(material)) secrets.push(Uint8Array.from(material).slice(-32))
    return importKey(...given)
  }) as typeof subtle.importKey)
  const encrypt = subtle.encrypt.bind(subtle)
  vi.spyOn(subtle, 'encrypt').mockImplementation(((...given: Parameters<SubtleCrypto['encrypt']>) => {
    lengths.add((given[1].algorithm as AesKeyAlgorithm).length)
    return encrypt(...given)
  }) as typeof subtle.encrypt)
  return { secrets, lengths }
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? filesUnder(path) : [path]
  })
}

afterEach(() => vi.restoreAllMocks())

test('keys have 256 bits, and none that opens anything is on the server’s disk, in any writing', async () => {
  const { secrets, lengths } = watchKeys()
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const heard = next(ben, 'message')
  await anna.client.messages.send(connectionId, 'Good morning')
  expect((await heard).body).toEqual({ kind: 'text', text: 'Good morning' })
  const message = await share(anna, ben, connectionId, new File([bytesOf(1000)], 'notes.txt'))
  await approve(anna, ben, message)
  expect((await download(ben, message)).saved[0]?.bytes).toEqual(bytesOf(1000))
  await stage.signIn(anna)

  expect([...lengths]).toEqual([256])
  expect(new Set(secrets.map((secret) => secret.length))).toEqual(new Set([32]))
  expect(secrets.length).toBeGreaterThan(20)
  const disk = filesUnder(stage.server.dataDir).map((path) => readFileSync(path))
  expect(
    disk.some((file) => file.includes(anna.username)),
    'the disk is what is read',
  ).toBe(true)
  const written = secrets.flatMap((secret) => {
    const bytes = Buffer.from(secret)
    return [bytes, ...(['base64', 'base64url', 'hex'] as const).map((form) => Buffer.from(bytes.toString(form)))]
  })
  expect(written.filter((form) => disk.some((file) => file.includes(form))).length).toBe(0)
})
