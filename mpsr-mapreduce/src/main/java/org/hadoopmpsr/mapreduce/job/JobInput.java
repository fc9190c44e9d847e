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
package org.hadoopmpsr.mapreduce.job;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapRunner;
import org.apache.hadoop.mapred.lib.IdentityMapper;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.map.InverseMapper;
import org.apache.hadoop.util.ReflectionUtils;
import org.apache.parquet.filter2.compat.FilterCompat;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.hadoop.ParquetInputFormat;
import org.apache.parquet.hadoop.api.ReadSupport;
import org.apache.parquet.hadoop.mapred.DeprecatedParquetInputFormat;

/** How a job reads Parquet files, by the job's configuration. */
final class JobInput {
    private static final String PARQUET = "org.apache.parquet.";
    private static final Set<Class<?>> PLAIN_MAPPERS = Set.of(
            Mapper.class, InverseMapper.class, IdentityMapper.class, org.apache.hadoop.mapred.lib.InverseMapper.class);

    private final JobConf conf;
    private final Class<?> format;

    JobInput(JobConf conf) {
        this.conf = conf;
        this.format = conf.getClass(formatKey(conf), Object.class);
    }

    /** The key that names the job's input format, in the API that the job uses. */
    static String formatKey(JobConf conf) {
        return conf.getUseNewMapper() ? MRJobConfig.INPUT_FORMAT_CLASS_ATTR : "mapred.input.format.class";
    }

    /** Whether the job has a filter that Parquet evaluates for each record. */
    static boolean hasFilter(Configuration conf) {
        return conf.get(ParquetInputFormat.FILTER_PREDICATE) != null;
    }

    /** The filter in Parquet's own form, without negations. */
    FilterPredicate filter() {
        if (ParquetInputFormat.getFilter(conf) instanceof FilterCompat.FilterPredicateCompat filter) {
            return filter.getFilterPredicate();
        }
        throw new IllegalStateException("the job's filter is not a predicate");
    }

    /** Why no other files may take the place of the job's files, if so. */
    Optional<String> problem() throws IOException, ReflectiveOperationException {
        Class<?> known = conf.getUseNewMapper() ? ParquetInputFormat.class : DeprecatedParquetInputFormat.class;
        if (!known.isAssignableFrom(format)) {
            return Optional.of("the input format " + format.getName() + " is not Parquet's");
        }
        for (Class<?> c = format; !c.getName().startsWith(PARQUET); c = c.getSuperclass()) {
            if (c.getDeclaredMethods().length > 0) {
                return Optional.of("the input format " + c.getName() + " changes how files are read");
            }
        }
        if (!conf.getBoolean(ParquetInputFormat.RECORD_FILTERING_ENABLED, true)) {
            return Optional.of(ParquetInputFormat.RECORD_FILTERING_ENABLED
                    + " is false: the job may read records that do not pass the filter");
        }
        Class<?> support = readSupport().getClass();
        if (!support.getName().startsWith(PARQUET)) {
            return Optional.of("the read support " + support.getName() + " is not Parquet's");
        }
        return mapperProblem();
    }

    private Optional<String> mapperProblem() throws IOException {
        Class<?> mapper;
        if (conf.getUseNewMapper()) {
            mapper = conf.getClass(MRJobConfig.MAP_CLASS_ATTR, Mapper.class);
        } else if (conf.getMapRunnerClass() == MapRunner.class) {
            mapper = conf.getMapperClass();
        } else {
            mapper = conf.getMapRunnerClass();
        }
        if (PLAIN_MAPPERS.contains(mapper)) {
            return Optional.empty();
        }
        return mapper.getName().startsWith("org.apache.hadoop.")
                ? Optional.of("the mapper " + mapper.getName() + " may ask which file a record comes from")
                : MapperScan.problem(mapper);
    }

    /** Makes the object that reads the records. */
    ReadSupport<?> readSupport() throws ReflectiveOperationException {
        if (!conf.getUseNewMapper()) {
            return ParquetInputFormat.getReadSupportInstance(conf);
        }
        // Formats name theirs in their constructors, and this is where Parquet asks for it.
        Method method = ParquetInputFormat.class.getDeclaredMethod("getReadSupport", Configuration.class);
        method.setAccessible(true);
        return (ReadSupport<?>) method.invoke(ReflectionUtils.newInstance(format, conf), conf);
    }
}
