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
package org.hadoopmpsr.namenode.store;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The listeners for changes of a record, in the order in which they were added. The thread that makes the change calls
 * them, and may hold the namesystem's lock. A listener must neither wait for that lock nor throw. Thread-safe.
 */
public final class Listeners {
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    public void add(Runnable listener) {
        listeners.add(listener);
    }

    public void tell() {
        listeners.forEach(Runnable::run);
    }
}
