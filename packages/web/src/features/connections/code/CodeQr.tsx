import { useQuery } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import { QrCode } from '../../../ui/indicator/QrCode.tsx'
import { connectionTexts as texts } from '../texts.ts'

/** The link to the user's own code as a QR code. */
export function CodeQr({ client, code }: { client: Client; code: string }) {
  const link = useQuery({ queryKey: ['connectionLink', code], queryFn: () => client.connections.link(code) }).data
  if (link === undefined) return null
  return (
    <figure className="code-qr">
      <QrCode data={link} name={texts.codeQr} />
      <figcaption>{texts.codeQrHint}</figcaption>
    </figure>
  )
}
