/** The configuration keys, each defined once, and the validation of a whole configuration. */
package org.hadoopmpsr.core.config;
