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
package org.hadoopmpsr.namenode;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Objects;
import org.hadoopmpsr.testing.EndedNameNodes;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Lets the clusters in static fields of a test class become garbage when the class has ended. JUnit finds this extension by itself. */
public final class ReleasedClusters implements AfterAllCallback {
    /** A NameNode takes some 20 MB of the tests' heap; the clusters of one class are below this by far. */
    private static final long MOST_BYTES = 400 << 20;

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        for (Field field : context.getRequiredTestClass().getDeclaredFields()) {
            int modifiers = field.getModifiers();
            if (Modifier.isStatic(modifiers)
                    && !Modifier.isFinal(modifiers)
                    && !field.getType().isPrimitive()) {
                field.setAccessible(true);
                field.set(null, null);
            }
        }
        EndedNameNodes.release();
        long held = heldBytes();
        if (held > MOST_BYTES) {
            throw new IllegalStateException("The last garbage collection left " + (held >> 20) + " MB, more than "
                    + (MOST_BYTES >> 20) + ": something holds NameNodes that have ended. A heap dump shows what, and "
                    + EndedNameNodes.class.getSimpleName() + " is the place to let go of it.");
        }
    }

    /** What the last full collection could not free, by the pools that have one. */
    private static long heldBytes() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .map(MemoryPoolMXBean::getCollectionUsage)
                .filter(Objects::nonNull)
                .mapToLong(usage -> usage.getUsed())
                .sum();
    }
}
