import assert from 'node:assert/strict';

export interface Opened {
  status: number;
  text: string;
  /** Where it leads; empty without a redirect. */
  location: string;
  headers: Headers;
}

/** A browser as far as logins need one: it keeps the cookies of each server, and shows where it is led. */
export class LoginBrowser {
  private readonly jars = new Map<string, Map<string, string>>();

  async open(address: string, form?: Record<string, string>, headers: Record<string, string> = {}): Promise<Opened> {
    const { origin } = new URL(address);
    const response = await fetch(address, {
      method: form ? 'POST' : 'GET',
      body: form && new URLSearchParams(form),
      redirect: 'manual',
      headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8', Cookie: this.cookiesOf(origin), ...headers },
      signal: AbortSignal.timeout(60_000),
    });
    for (const cookie of response.headers.getSetCookie()) this.take(origin, cookie);
    const given = response.headers.get('location');
    const location = given === null ? '' : new URL(given, address).href;
    return { status: response.status, text: await response.text(), location, headers: response.headers };
  }

  /** Follows redirects, and logs in and agrees at the provider, until an address that begins with `end`. */
  async follow(address: string, end: string, person: string): Promise<string> {
    let next = address;
    for (let steps = 0; steps < 20; steps += 1) {
      if (next.startsWith(end)) return next;
      const opened = await this.open(next);
      const answered = opened.location === '' ? await this.submit(next, opened, person) : opened;
      assert.notEqual(answered.location, '', `${next} answers ${answered.status}: ${answered.text.slice(0, 500)}`);
      next = answered.location;
    }
    return assert.fail(`never led to ${end}`);
  }

  cookie(origin: string, name: string): string | undefined {
    return this.jars.get(origin)?.get(name);
  }

  setCookie(origin: string, name: string, value: string): void {
    this.take(origin, `${name}=${value}`);
  }

  private submit(address: string, { text }: Opened, person: string): Promise<Opened> {
    const action = /<form[^>]* action="([^"]+)"/.exec(text)?.[1] ?? assert.fail(text.slice(0, 500));
    const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1] ?? '';
    const login: Record<string, string> = prompt === 'login' ? { login: person, password: 'any' } : {};
    return this.open(new URL(action, address).href, { prompt, ...login });
  }

  private take(origin: string, cookie: string): void {
    const [pair = ''] = cookie.split(';');
    const cut = pair.indexOf('=');
    const jar = this.jars.get(origin) ?? new Map<string, string>();
    this.jars.set(origin, jar);
    const [name, value] = [pair.slice(0, cut), pair.slice(cut + 1)];
    if (value === '') jar.delete(name);
    else jar.set(name, value);
  }

  private cookiesOf(origin: string): string {
    return [...(this.jars.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  }
}
