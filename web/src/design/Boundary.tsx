import { Component, createContext, type ReactNode, useContext } from 'react'

interface Props {
  /** The content shown instead of a part that failed. */
  fallback: ReactNode
  /** A key: a new value resets the error and tries again. */
  resetOn?: unknown
  children: ReactNode
}

interface Caught {
  failed: boolean
  resetOn: unknown
  /** A new object for every attempt. */
  attempt: object
}

const Attempt = createContext<object>({})
const Retry = createContext<() => void>(() => {})

/** Returns the current attempt of the nearest boundary. */
export const useAttempt = () => useContext(Attempt)
/** Returns a function for the fallback that retries the failed part. */
export const useRetry = () => useContext(Retry)

const standing = new Set<Boundary>()

/** Retries every failed part on the page. */
export function retryFailed(): void {
  for (const boundary of standing) if (boundary.state.failed) boundary.retry()
}

/** An error boundary: the rest of the page keeps working. */
export class Boundary extends Component<Props, Caught> {
  override state: Caught = { failed: false, resetOn: this.props.resetOn, attempt: {} }

  static getDerivedStateFromError(): Partial<Caught> {
    return { failed: true }
  }

  static getDerivedStateFromProps({ resetOn }: Props, state: Caught): Caught | null {
    return resetOn === state.resetOn ? null : { failed: false, resetOn, attempt: {} }
  }

  override componentDidMount(): void {
    standing.add(this)
  }

  override componentWillUnmount(): void {
    standing.delete(this)
  }

  readonly retry = (): void => this.setState({ failed: false, attempt: {} })

  override render(): ReactNode {
    return this.state.failed ? <Retry value={this.retry}>{this.props.fallback}</Retry> : <Attempt value={this.state.attempt}>{this.props.children}</Attempt>
  }
}
