/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hadoopmpsr.client.wire;

import java.util.ArrayList;
import java.util.List;
import org.hadoopmpsr.core.rebuild.Damage;

/** Puts damage together that comes in pages. For one thread. */
public final class DamageList {
    private final List<Damage> damages = new ArrayList<>();
    private long files;

    /** Adds the next one, which may go on where the last one ended. */
    public void add(Damage next) {
        files += next.files().size();
        int last = damages.size() - 1;
        if (last >= 0 && damages.get(last).isSameAs(next)) {
            damages.set(last, damages.get(last).with(next.files()));
        } else {
            damages.add(next);
        }
    }

    /** The number of damaged files. */
    public long files() {
        return files;
    }

    /** All but the last one. */
    public List<Damage> allButLast() {
        return damages.subList(0, damages.size() - 1);
    }

    /** All. */
    public List<Damage> all() {
        return damages;
    }
}
