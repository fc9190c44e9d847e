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
package org.hadoopmpsr.core.transform;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.hadoopmpsr.core.schema.ColumnType;
import org.jspecify.annotations.Nullable;

/**
 * The transforms that this process knows: those of MPSR, and those of jars beside it, which name their classes in {@code
 * META-INF/services/org.hadoopmpsr.core.transform.ColumnTransform}. They are looked for with the class loader of MPSR and with that of the
 * calling thread. Safe for use by several threads.
 */
public final class TransformRegistry {
    /** The name of the transform that changes nothing. */
    public static final String IDENTITY = IdentityTransform.NAME;

    private static final List<ColumnTransform> OWN = List.of(
            new IdentityTransform(),
            new PlanesTransform(),
            new DecimalTransform(),
            new ApproximateTransform(),
            new LossyTransform());

    private TransformRegistry() {}

    /**
     * What readers of this process know, for planning: each name with a colon and the version.
     *
     * @see #isKnown
     */
    public static Set<String> known() {
        Set<String> known = new TreeSet<>();
        found().values().forEach(transform -> known.add(transform.name() + ":" + transform.version()));
        return known;
    }

    /** Whether a reader reads what a transform has written, by what it {@link #known knows}. */
    public static boolean isKnown(Collection<String> known, TransformName transform) {
        String prefix = transform.name() + ":";
        return known.stream()
                .filter(one -> one.startsWith(prefix))
                .map(one -> one.substring(prefix.length()))
                .anyMatch(version -> version.matches("[0-9]{1,9}") && Integer.parseInt(version) >= transform.version());
    }

    /** Whether files hold nothing that gives the values of a column back under this transform. This process need not know its version. */
    public static boolean isLossy(TransformName transform) {
        return transform.name().equals(LossyTransform.NAME);
    }

    /** Whether files hold a column itself under this transform. False for one that this process does not know. */
    public static boolean keepsColumn(TransformName transform) {
        try {
            ColumnTransform found = find(transform.name());
            return found.keepsColumn() && transform.version() <= found.version();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /**
     * The transform with the version that is written, if the name has none.
     *
     * @throws IllegalArgumentException as {@link #of}
     */
    public static TransformName written(TransformName transform, ColumnType type) {
        of(transform, type);
        return transform.version() > 0
                ? transform
                : new TransformName(transform.name(), find(transform.name()).version(), transform.parameters());
    }

    /**
     * A transform for the columns of a type.
     *
     * @throws IllegalArgumentException if this process does not know it in this version, its parameters make no sense, or columns of
     *     the type cannot be held so; the message says what to do
     */
    public static TransformedColumn of(TransformName transform, ColumnType type) {
        ColumnTransform found = find(transform.name());
        if (transform.version() > found.version()) {
            throw new IllegalArgumentException("the transform '" + transform.name() + "' has version "
                    + transform.version() + ", and " + found.getClass().getName() + " knows versions up to "
                    + found.version() + "; a newer one wrote it: use that jar, or a later one");
        }
        if (!IDENTITY.equals(transform.name()) && !isNumber(type)) {
            throw new IllegalArgumentException(
                    "columns of type " + type.ddl() + " are held as they are; use a column of numbers or times");
        }
        TransformedColumn column = found.of(type, transform.parameters());
        if (column.isLossy() && !isLossy(transform)) {
            throw new IllegalArgumentException(
                    "the transform '" + transform.name() + "' loses values, which only 'lossy' may; use that");
        }
        return column;
    }

    /** Whether 64 bits hold the values. */
    private static boolean isNumber(ColumnType type) {
        return switch (type.kind()) {
            case TINYINT, SMALLINT, INT, LONG, FLOAT, DOUBLE, DATE, TIMESTAMP, TIMESTAMP_NTZ, TIMESTAMP_NS, TIME_NS ->
                true;
            case STRING, BINARY, BOOLEAN, DECIMAL, LIST, STRUCT, MAP -> false;
        };
    }

    private static ColumnTransform find(String name) {
        for (ColumnTransform own : OWN) {
            if (own.name().equals(name)) {
                return own; // without a look at all jars
            }
        }
        Map<String, ColumnTransform> all = found();
        ColumnTransform found = all.get(name);
        if (found == null) {
            throw new IllegalArgumentException("there is no transform '" + name + "', only " + all.keySet()
                    + "; for another one put its jar beside that of MPSR");
        }
        return found;
    }

    /** MPSR's own ones first: nobody else's takes their names. */
    private static Map<String, ColumnTransform> found() {
        Map<String, ColumnTransform> found = new TreeMap<>();
        OWN.forEach(transform -> found.put(transform.name(), transform));
        List<@Nullable ClassLoader> loaders = new ArrayList<>();
        loaders.add(TransformRegistry.class.getClassLoader());
        ClassLoader ofThread = Thread.currentThread().getContextClassLoader();
        if (ofThread != null && !loaders.contains(ofThread)) {
            loaders.add(ofThread);
        }
        for (ClassLoader loader : loaders) {
            try {
                ServiceLoader.load(ColumnTransform.class, loader)
                        .forEach(transform -> found.putIfAbsent(transform.name(), transform));
            } catch (ServiceConfigurationError e) {
                throw new IllegalArgumentException(
                        "the transforms of jars cannot be loaded: " + e.getMessage() + "; correct or remove that jar",
                        e);
            }
        }
        return found;
    }
}
