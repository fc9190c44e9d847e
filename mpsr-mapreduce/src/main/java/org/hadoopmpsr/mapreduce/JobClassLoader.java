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
package org.hadoopmpsr.mapreduce;

import java.io.IOException;
import java.io.InputStream;

/**
 * Defines the classes of MPSR that link to Parquet for one job: those of {@code org.hadoopmpsr.mapreduce.job} and
 * {@code org.hadoopmpsr.columnar}. They use the job's Parquet and the job's own classes, from the job's class loader. Other
 * classes of MPSR come from the loader of this class.
 */
public final class JobClassLoader extends ClassLoader {
    private static final String OURS = "org.hadoopmpsr.";
    private static final String COLUMNAR = OURS + "columnar.";
    private static final String JOB = JobClassLoader.class.getPackageName() + ".job.";

    private final ClassLoader own = JobClassLoader.class.getClassLoader();

    /** @param job the job's class loader */
    public JobClassLoader(ClassLoader job) {
        super(job);
    }

    /**
     * Makes a new object; use one for each job.
     *
     * @param name the name of a class in {@code org.hadoopmpsr.mapreduce.job}
     */
    public <T> T create(String name, Class<T> type) throws ReflectiveOperationException {
        return type.cast(loadClass(JOB + name).getDeclaredConstructor().newInstance());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(JOB) && !name.startsWith(COLUMNAR)) {
            return name.startsWith(OURS) ? own.loadClass(name) : super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? define(name) : loaded;
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        try (InputStream in = own.getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = in.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }
}
