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
package org.hadoopmpsr.linkage;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Where the JDK's classes are read. */
public interface Jdk extends Closeable {
    /** The JDK that runs this. */
    Jdk RUNNING = new Jdk() {
        @Override
        public Runtime.Version version() {
            return Runtime.version();
        }

        @Override
        public @Nullable InputStream open(String name) {
            return ClassLoader.getPlatformClassLoader().getResourceAsStream(name + ".class");
        }

        @Override
        public void close() {
            // It stays open for as long as it runs
        }
    };

    /** The JDK of a release, such as 11, which is the one that runs this or an older one. */
    static Jdk of(int release) throws IOException {
        return release == Runtime.version().feature() ? RUNNING : new OlderJdk(release);
    }

    /** Its version, which also tells the classes of jars that have some for several versions. */
    Runtime.Version version();

    /** The class file of a class that the JDK has, or null. The name has slashes. */
    @Nullable
    InputStream open(String name) throws IOException;
}
