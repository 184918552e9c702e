/** An email address that preferably breaks after its @. */
export function EmailText({ address }: { address: string }) {
  const domainStart = address.lastIndexOf('@') + 1
  return (
    <>
      {address.slice(0, domainStart)}
      <wbr />
      {address.slice(domainStart)}
    </>
  )
}
