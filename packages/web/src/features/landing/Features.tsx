import { useId } from 'react'
import { ExpiryRing, RemainingDots } from '../../ui/indicator/Remaining.tsx'
import { landingTexts } from './texts.ts'
import '../../ui/tile/connectionCode.css'
import '../../ui/tile/file.css'
import './landingFeatures.css'

export function Features() {
  const id = useId()
  const { code, messages, files } = landingTexts
  return (
    <section className="ink-band on-ink" aria-label={landingTexts.features}>
      <div className="frame feats">
        <article aria-labelledby={`${id}-code`}>
          <div className="demo">
            <div className="code">
              <span className="sr">{code.spoken}</span>
              <span className="code-shown" aria-hidden="true">
                {code.letters.map((letters) => (
                  <span key={letters}>
                    {letters}
                    <s>-</s>
                  </span>
                ))}
                <em>{code.digits}</em>
              </span>
            </div>
            <p className="spell">{code.spelt}</p>
          </div>
          <h2 id={`${id}-code`}>{code.title}</h2>
          <p>{code.text}</p>
        </article>
        <article aria-labelledby={`${id}-messages`}>
          <div className="demo" aria-hidden="true">
            <div className="b1">{messages.question}</div>
            <div className="b2">{messages.answer}</div>
            <div className="demo-line demo-own">
              <ExpiryRing left={3 / 24} />
              {messages.expiry}
            </div>
          </div>
          <h2 id={`${id}-messages`}>{messages.title}</h2>
          <p>{messages.text}</p>
        </article>
        <article aria-labelledby={`${id}-files`}>
          <div className="demo" aria-hidden="true">
            <div className="demo-file">
              <span className="file-ic">
                <span>{files.type}</span>
              </span>
              <div>
                <b>{files.name}</b>
                <span className="demo-line">
                  <RemainingDots left={2} of={3} />
                  {files.left}
                </span>
              </div>
            </div>
          </div>
          <h2 id={`${id}-files`}>{files.title}</h2>
          <p>{files.text}</p>
        </article>
      </div>
    </section>
  )
}
