import { SourceError } from './source';

export interface ThingsBoardLogin {
  url: string;
  user: string;
  password: string;
}

export interface Page<Item> {
  data: Item[];
  hasNext: boolean;
  totalElements: number;
}

const PER_PAGE = 100;
const TRIES = 5;

/** Requests to ThingsBoard as a user of a tenant; logs in again when the token has expired. */
export class ThingsBoardRest {
  private token: string | undefined;

  constructor(private readonly login: ThingsBoardLogin) {}

  /** The body of a successful answer. Throws SourceError for any other. */
  async get<Body>(path: string): Promise<Body> {
    for (let attempt = 1; ; attempt += 1) {
      this.token ??= await this.logIn();
      const response = await fetch(this.login.url + path, { headers: { 'X-Authorization': `Bearer ${this.token}` } });
      if (response.ok) return (await response.json()) as Body;
      const { message = '' } = (await response.json().catch(() => ({}))) as { message?: string };
      const mayPass = response.status === 401 || response.status === 429 || response.status >= 502;
      if (!mayPass || attempt >= TRIES)
        throw new SourceError(this.login.url + path, `answered ${response.status} ${message}`);
      if (response.status === 401) this.token = undefined;
      else await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** attempt));
    }
  }

  /** The items of all pages, with their number. */
  async *all<Item>(path: string): AsyncGenerator<{ item: Item; total: number }> {
    for (let page = 0; ; page += 1) {
      const { data, hasNext, totalElements } = await this.page<Item>(path, page, PER_PAGE);
      for (const item of data) yield { item, total: totalElements };
      if (!hasNext) return;
    }
  }

  page<Item>(path: string, page: number, pageSize: number): Promise<Page<Item>> {
    return this.get(`${path}?pageSize=${pageSize}&page=${page}`);
  }

  private async logIn(): Promise<string> {
    const { url, user, password } = this.login;
    const response = await fetch(`${url}/api/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ username: user, password }),
    });
    const { token, message = '' } = (await response.json().catch(() => ({}))) as { token?: string; message?: string };
    if (!response.ok || !token) throw new SourceError(url, `the login was refused: ${response.status} ${message}`);
    return token;
  }
}
