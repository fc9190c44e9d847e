/** Cost: how long a reader works for some files. */
package org.hadoopmpsr.core.cost;
