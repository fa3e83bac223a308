import assert from 'node:assert/strict';
import { differencesOf, fullName, outsideNameOf } from '../../../src/access/equal-names';

describe('sensors with equal names', () => {
  const shown = (...outside: string[][]) => {
    const sensors = outside.map((names, id) => ({ id, name: id === 0 ? 'X' : 'x', outside: names }));
    const differences = differencesOf(sensors, outsideNameOf);
    return sensors.map(({ id }) => differences.get(id));
  };

  it('are distinguished by the tags that differ', () => {
    assert.deepEqual(shown(['x,device=a'], ['x,device=b']), ['a', 'b']);
    assert.deepEqual(shown(['x,cpu=0,host=nas'], ['x,cpu=1,host=nas']), ['0', '1']);
    assert.deepEqual(shown(['x,cpu=0,host=nas'], ['x,cpu=1,host=pi']), ['cpu=0, host=nas', 'cpu=1, host=pi']);
    assert.deepEqual(shown(['x{host="nas",job="a,b"}'], ['x{host="pi",job="a,b"}']), ['nas', 'pi']);
    assert.deepEqual(shown(['x,room=a\\,\\ b\\=c'], ['x,room=d']), ['a, b=c', 'd']);
  });

  it('are never shown alike', () => {
    assert.deepEqual(shown([], ['x,host=nas']), ['id 0', 'nas']);
    assert.deepEqual(shown(['tele/a'], ['tele/b']), ['tele/a', 'tele/b']);
    assert.deepEqual(shown(['x,a=1'], ['y,a=1'], ['z,a=2']), ['1, x,a=1', '1, y,a=1', '2']);
  });

  it('are those of one name only', () => {
    const alone = [
      { id: 1, name: 'x', outside: ['x,a=1'] },
      { id: 2, name: 'y', outside: ['y,a=2'] },
    ];
    assert.equal(differencesOf(alone, outsideNameOf).size, 0);
    assert.deepEqual([fullName('x', undefined), fullName('x', 'a')], ['x', 'x (a)']);
  });
});
